import { describe, expect, test } from 'vitest'

import { migrateFiles } from './testing/migrate-files.ts'

async function rewrite(text: string, file = 'src/file.ts'): Promise<string | undefined> {
  return (await migrateFiles({ [file]: text })).files[file]
}

describe('imports', () => {
  test.each([
    [`import { http } from 'msw'`, `import { http } from '@understudy/engine'`],
    [`import type { PathParams } from "msw";`, `import type { PathParams } from "@understudy/engine";`],
    [`import { setupServer } from 'msw/node'`, `import { setupServer } from '@understudy/engine/node'`],
    [`import { setupWorker } from 'msw/browser'`, `import { setupWorker } from '@understudy/engine/browser'`],
    [`import { delay } from 'msw/utils/delay'`, `import { delay } from '@understudy/engine'`],
    [`import { http } from 'msw/core/http'`, `import { http } from '@understudy/engine'`],
    [`import * as msw from 'msw'`, `import * as msw from '@understudy/engine'`],
    [`export * from 'msw'`, `export * from '@understudy/engine'`],
    [`export { http } from 'msw'`, `export { http } from '@understudy/engine'`],
    [`const { http } = require('msw')`, `const { http } = require('@understudy/engine')`],
    [`const lazy = import('msw/node')`, `const lazy = import('@understudy/engine/node')`],
    [`type Http = typeof import('msw').http`, `type Http = typeof import('@understudy/engine').http`],
    [`type Params = import('msw').PathParams`, `type Params = import('@understudy/engine').PathParams`],
    [`jest.mock('msw', () => ({}))`, `jest.mock('@understudy/engine', () => ({}))`],
    [`vi.mock(import('msw'))`, `vi.mock(import('@understudy/engine'))`],
    [`import msw = require('msw')`, `import msw = require('@understudy/engine')`],
    [`vitest.mock('msw')`, `vitest.mock('@understudy/engine')`],
    [`mock.module('msw', {})`, `mock.module('@understudy/engine', {})`],
    [`const { setupWorker } = require('msw')`, `const { setupWorker } = require('@understudy/engine/browser')`],
    [`const start = require('msw').setupWorker`, `const start = require('@understudy/engine/browser').setupWorker`],
    [
      `const { setupWorker, rest: r } = await import('msw');`,
      `const { setupWorker } = await import('@understudy/engine/browser')\nconst { rest: r } = await import('@understudy/engine');`,
    ],
    [
      `const { setupWorker, ...others } = require('msw')`,
      `const { setupWorker, ...others } = require('@understudy/engine')`,
    ],
    [`declare module 'msw' {}`, `declare module '@understudy/engine' {}`],
    [
      `import { http as h, HttpResponse } from 'msw' // keep`,
      `import { http as h, HttpResponse } from '@understudy/engine' // keep`,
    ],
  ])('%s', async (before, after) => {
    expect(await rewrite(before)).toBe(after)
  })

  test('names of several entries get a declaration each', async () => {
    expect(await rewrite(`import { rest, setupWorker, type StartOptions } from 'msw';\n`)).toBe(
      `import { rest } from '@understudy/engine';\nimport { setupWorker, type StartOptions } from '@understudy/engine/browser';\n`,
    )
  })

  test('strings, comments and other packages stay', async () => {
    const text = `import { x } from 'mswjs'\nimport { factory } from '@mswjs/data'\n// from 'msw'\nconst name = "import { http } from 'msw'"\nlog('msw')\n`
    expect(await rewrite(text)).toBe(text)
  })

  test('a comment within a declaration that is split does not stop the command', async () => {
    expect(
      await rewrite(
        `const { setupWorker, /** @type {import('msw').RestHandler} */ rest } = require('msw')\n`,
        'src/a.js',
      ),
    ).toBe(
      `const { setupWorker } = require('@understudy/engine/browser')\nconst { rest } = require('@understudy/engine')\n`,
    )
  })

  test('specifiers in backticks change', async () => {
    expect(
      await rewrite(
        "import { http } from 'msw'\nconst { delay } = require(`msw`)\nconst lazy = import(`msw/node`)\nlog(`msw`)\n",
      ),
    ).toBe(
      "import { http } from '@understudy/engine'\nconst { delay } = require(`@understudy/engine`)\nconst lazy = import(`@understudy/engine/node`)\nlog(`msw`)\n",
    )
  })

  test('types in JSDoc comments change', async () => {
    const before = `/** @import { HttpHandler } from 'msw' */
/** @import { SetupWorker, StartOptions as Options } from "msw" */
/** @typedef {import('msw').PathParams} Params */
/** @type {import("msw/node").SetupServer | import('msw').SetupWorkerApi} the docs of 'msw' */
/* import('msw') */
// import('msw')
export let server
`
    expect(await rewrite(before, 'src/a.js')).toBe(`/** @import { HttpHandler } from '@understudy/engine' */
/** @import { SetupWorker, StartOptions as Options } from "@understudy/engine/browser" */
/** @typedef {import('@understudy/engine').PathParams} Params */
/** @type {import("@understudy/engine/node").SetupServer | import('@understudy/engine/browser').SetupWorkerApi} the docs of 'msw' */
/* import('msw') */
// import('msw')
export let server
`)
  })

  test('declaration files of the project change', async () => {
    expect(
      await rewrite(
        `import type { SetupWorker } from 'msw/browser'\ndeclare global {\n  interface Window {\n    msw: { worker: SetupWorker }\n  }\n}\nexport const version: string\nexport function start(): void\n`,
        'src/globals.d.ts',
      ),
    ).toContain(`import type { SetupWorker } from '@understudy/engine/browser'\n`)
  })

  test('a name that is read from all exports, and that another entry has, is noted with its line', async () => {
    const { output } = await migrateFiles({
      'src/a.ts': `import * as msw from 'msw'\nmsw.rest.get('/', () => {})\nexport const worker: msw.SetupWorkerApi = msw.setupWorker()\n`,
      'src/b.cjs': `const all = require('msw')\nall.setupWorker()\n`,
    })
    expect(output).toContain('src/a.ts:3\n    "SetupWorkerApi" is an export of @understudy/engine/browser. Import it')
    expect(output).toContain('src/a.ts:3\n    "setupWorker" is an export of @understudy/engine/browser. Import it')
    expect(output).toContain('src/b.cjs:2\n    "setupWorker" is an export of @understudy/engine/browser. Import it')
    expect(output).not.toContain('"rest" is')
  })

  test('each line that still names MSW is listed', async () => {
    const { output } = await migrateFiles({
      'src/a.ts': `import { http } from 'msw'\nimport type { A } from 'msw/lib/a'\nimport type { B } from 'msw/lib/b'\n`,
    })
    expect(output).toContain(`src/a.ts:2\n    This file still names 'msw/lib/a'.`)
    expect(output).toContain(`src/a.ts:3\n    This file still names 'msw/lib/b'.`)
  })

  test('JSX, generics, decorators and scripts of components are read', async () => {
    expect(
      await rewrite(`import { http } from 'msw'\nexport const a = <p title="'msw'">from 'msw'</p>\n`, 'src/a.tsx'),
    ).toBe(`import { http } from '@understudy/engine'\nexport const a = <p title="'msw'">from 'msw'</p>\n`)
    expect(await rewrite(`import { http } from 'msw'\nconst id = <T>(value: T) => <unknown>value\n`)).toContain(
      '@understudy/engine',
    )
    expect(await rewrite(`import { http } from 'msw'\n@Component({}) class A { @Input() name = '' }\n`)).toContain(
      '@understudy',
    )
    expect(
      await rewrite(
        `<template>'msw'</template>\n<script setup lang="ts">\nimport { http } from 'msw'\n</script>\n`,
        'a.vue',
      ),
    ).toBe(
      `<template>'msw'</template>\n<script setup lang="ts">\nimport { http } from '@understudy/engine'\n</script>\n`,
    )
  })

  test('a name without a counterpart is noted with its line', async () => {
    const { output } = await migrateFiles({ 'src/a.ts': `\nimport { http, restContext } from 'msw'\n` })
    expect(output).toContain('src/a.ts:2\n    "restContext" has no equivalent.')
  })

  test('a file that does not parse stays, with a note', async () => {
    const text = `import { http } from 'msw'\nconst = 1 {{\n`
    const { files, output } = await migrateFiles({ 'src/a.ts': text, 'src/b.ts': `import 'msw'` })
    expect(files['src/a.ts']).toBe(text)
    expect(files['src/b.ts']).toBe(`import '@understudy/engine'`)
    expect(output).toContain('This file does not parse')
  })
})
