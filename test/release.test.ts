/** Tests `npm run release -- --dry-run` with the built packages. */
import { globSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'

import { expect, onTestFinished, test } from 'vitest'

import { listMissing, type Origin } from '../release/stage-packages.ts'
import { repository } from './acceptance/project.ts'
import { runTool } from './acceptance/run-tool.ts'

interface Manifest extends Origin {
  readonly name: string
  readonly version: string
  readonly private?: boolean
}

const readManifest = (file: string): Manifest => JSON.parse(readFileSync(join(repository, file), 'utf8')) as Manifest

/**
 * Starts a registry without packages. npm requests each package even in a dry run, and waits for minutes if the public
 * registry cannot be reached.
 */
async function startEmptyRegistry(): Promise<{ url: string; received: string[] }> {
  const received: string[] = []
  const server = createServer((request, response) => {
    received.push(`${request.method} ${decodeURIComponent(request.url ?? '')}`)
    response.writeHead(404, { 'content-type': 'application/json' }).end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, received }
}

test('a dry run packs every package, publishes none, and names what a release needs', async () => {
  const script = join(repository, 'release/start.ts')
  const registry = await startEmptyRegistry()
  const tool = runTool(script, ['--dry-run', '--built', '--registry', registry.url], { folder: repository })
  const code = await tool.exit
  const packed = Array.from(tool.output.matchAll(/^\+ (\S+)$/gm), ([, name = '']) => name)
  const manifests = globSync('packages/*/package.json', { cwd: repository }).map(readManifest)
  const expected = manifests.map(({ name, version }) => `${name}@${version}`)
  expect(packed.toSorted(), tool.output).toEqual(expected.toSorted())
  expect(tool.output).toContain('(dry-run)')
  expect(registry.received.filter((request) => !request.startsWith('GET '))).toEqual([])

  const missing = listMissing(readManifest('package.json'))
  for (const field of missing) expect(tool.output).toMatch(new RegExp(`^Failed to release: .*"${field}"`, 'm'))
  expect(code).toBe(missing.length > 0 || /^Failed to release/m.test(tool.output) ? 1 : 0)
})
