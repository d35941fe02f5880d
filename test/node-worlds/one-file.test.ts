import { execFile } from 'node:child_process'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { build } from 'esbuild'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { repository } from '../acceptance/project.ts'
import { expectedAnswers, requestsModule } from './requests.ts'

/** A back end that was bundled into one file, in a folder without packages. */
let folder: string
let real: Server
let origin: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'understudy-one-file-'))
  real = createServer((_request, response) => response.end('the real one'))
  await new Promise<void>((resolve) => {
    real.listen(0, '127.0.0.1', resolve)
  })
  origin = `http://127.0.0.1:${(real.address() as AddressInfo).port}/`
})

afterAll(async () => {
  real.close()
  await rm(folder, { recursive: true, force: true })
})

test.each([
  ['esm', 'app.mjs'],
  ['cjs', 'app.cjs'],
] as const)('setupServer answers every client, from one file of the format %s', async (format, file) => {
  await build({
    stdin: {
      contents: `${requestsModule}
requestByEach(process.argv[2]).then((result) => console.log(JSON.stringify(result)))`,
      resolveDir: join(repository, 'test'),
    },
    outfile: join(folder, file),
    bundle: true,
    platform: 'node',
    target: 'node22',
    format,
    // axios requires only Node's own modules.
    ...(format === 'esm' && {
      banner: { js: `import { createRequire } from 'node:module'; const require = createRequire(import.meta.url)` },
    }),
    logLevel: 'silent',
  })
  expect(await readdir(folder)).toContain(file)
  const { stdout } = await promisify(execFile)(process.execPath, [join(folder, file), origin], { cwd: folder })
  const answers = Object.fromEntries(['fetch', 'http', 'axios'].map((name) => [name, expectedAnswers]))
  expect(JSON.parse(stdout)).toEqual({ answers, afterwards: 'the real one' })
})
