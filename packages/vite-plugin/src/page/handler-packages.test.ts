import { mkdir, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

import * as vite8 from 'vite'
import * as vite6 from 'vite-6'
import * as vite7 from 'vite-7'
import { describe, expect, onTestFinished, test } from 'vitest'

import { createRoot } from '../testing/create-root.ts'
import { understudy } from '../understudy.ts'

/** The files of an installed package. */
const installed = (name: string, code: string): Record<string, string> => ({
  [`node_modules/${name}/package.json`]: JSON.stringify({ name, version: '1.0.0', type: 'module', main: 'index.js' }),
  [`node_modules/${name}/index.js`]: code,
})

const page = '<!doctype html><script type="module" src="/main.js"></script>'

describe.each([
  ['6', vite6 as unknown as typeof vite8],
  ['7', vite7 as unknown as typeof vite8],
  ['8', vite8],
])('Vite %s, without a page', (_version, { createServer }) => {
  /** Starts a server without a port. `lines` are what it prints. */
  async function start(files: Record<string, string>, config: vite8.InlineConfig = {}) {
    const root = await createRoot()
    const all = { 'index.html': page, 'main.js': "import 'of-the-app'", ...installed('of-the-app', ''), ...files }
    for (const [name, text] of Object.entries(all)) {
      await mkdir(dirname(join(root, name)), { recursive: true })
      await writeFile(join(root, name), text)
    }
    const lines: string[] = []
    const say = (line: string): number => lines.push(line)
    const server = await createServer({
      root,
      configFile: false,
      customLogger: { ...vite8.createLogger('silent'), info: () => {}, warn: say, warnOnce: say, error: say },
      server: { middlewareMode: true, ws: false, watch: null },
      ...config,
      plugins: [understudy(), config.plugins],
    })
    onTestFinished(() => server.close())
    const { client } = server.environments
    const list = (): string[] =>
      Object.keys(client.depsOptimizer?.metadata.optimized ?? {}).filter((name) => !name.includes('@understudy/'))
    return { root, client, lines, list }
  }

  test('it bundles the packages of the handlers with those of the app, and transforms none of their modules', async () => {
    const transformed: string[] = []
    const { root, client, lines, list } = await start(
      {
        ...installed('of-types', 'throw new Error("It is only for types.")'),
        ...installed('of-a-glob', ''),
        ...installed('of-a-dynamic-import', ''),
        ...installed('excluded', ''),
        ...installed('of-an-alias', ''),
        'src/mocks/handlers.ts': `import type { Type } from 'of-types'
import 'virtual:user'
import 'aliased'
import 'excluded'
import './users.ts'
const parts = import.meta.glob('./parts/*.ts')
export const handlers: Type[] = []`,
        'src/mocks/users.ts': "export const load = () => import('of-a-dynamic-import')",
        'src/mocks/parts/one.ts': "import 'of-a-glob'",
      },
      {
        optimizeDeps: { exclude: ['excluded'] },
        resolve: { alias: { aliased: 'of-an-alias' } },
        plugins: [
          {
            name: 'user',
            resolveId: (id) => (id === 'virtual:user' ? '\0virtual:user' : undefined),
            load: (id) => (id === '\0virtual:user' ? 'export {}' : undefined),
            // Some plugins take the first module for the app's entry.
            transform: (_code, id) => void transformed.push(id),
          },
        ],
      },
    )
    await expect
      .poll(list)
      .toEqual(expect.arrayContaining(['of-the-app', 'of-a-glob', 'of-a-dynamic-import', 'of-an-alias']))
    expect(list()).toHaveLength(4)
    expect(lines).toEqual([])
    expect(transformed.filter((id) => id.includes('/src/'))).toEqual([])
    expect(client.moduleGraph.getModulesByFile(`${root}/src/mocks/handlers.ts`)).toBe(undefined)
  })

  test.each([
    ['do not compile', 'export const handlers = [;'],
    ['import a package that is not installed', "import 'not-installed'\nexport const handlers = []"],
    ['import a file that does not exist', "import './missing.ts'\nexport const handlers = []"],
    ['throw', "throw new Error('broken')"],
  ])('it bundles the packages of the app if the handlers %s', async (_case, text) => {
    const { lines, list } = await start({ 'src/mocks/handlers.ts': text })
    await expect.poll(list).toEqual(['of-the-app'])
    expect(lines).toEqual([])
  })

  test('it bundles the packages of the app if there are no handlers', async () => {
    const { lines, list } = await start({})
    await expect.poll(list).toEqual(['of-the-app'])
    expect(lines).toEqual([expect.stringContaining('Failed to find the handlers')])
  })

  test('it does not compile modules without imports, which may have much data, and follows deeply nested code', async () => {
    const compiled: string[] = []
    const { list } = await start(
      {
        ...installed('of-the-handlers', ''),
        'src/mocks/handlers.ts': "import './data.ts'\nimport './sum.ts'\nexport const handlers = []",
        'src/mocks/data.ts': "export const messages = [{ from: 'an important user' }]",
        'src/mocks/sum.ts': `import 'of-the-handlers'\nexport const sum = ${"'a' + ".repeat(3000)}''`,
      },
      {
        plugins: [
          {
            name: 'watch-compilers',
            configResolved({ plugins }) {
              for (const plugin of plugins as vite8.Plugin[]) {
                const { name, transform } = plugin
                if (!/^vite:(?:esbuild|oxc)$/.test(name) || !transform) continue
                const handler = typeof transform === 'function' ? transform : transform.handler
                plugin.transform = function (...args) {
                  compiled.push(basename(args[1]))
                  return Reflect.apply(handler, this, args)
                }
              }
            },
          },
        ],
      },
    )
    await expect.poll(list).toEqual(expect.arrayContaining(['of-the-app', 'of-the-handlers']))
    expect(compiled).toContain('sum.ts')
    expect(compiled).not.toContain('data.ts')
  })

  test('it also does so with entries, without transformations before requests, and with other folders', async () => {
    const { list } = await start(
      {
        ...installed('of-the-handlers', ''),
        'src/mocks/handlers.ts': "import './users.ts'\nexport const handlers = []",
        'src/mocks/users.ts': "import 'of-the-handlers'",
      },
      {
        base: '/app/',
        cacheDir: '.bundles',
        optimizeDeps: { entries: ['main.js'] },
        server: { middlewareMode: true, ws: false, watch: null, preTransformRequests: false },
      },
    )
    await expect.poll(list).toEqual(expect.arrayContaining(['of-the-app', 'of-the-handlers']))
  })
})
