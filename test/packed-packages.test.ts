import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, readdir, realpath, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { Script } from 'node:vm'

import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const run = promisify(execFile)
const root = resolve(import.meta.dirname, '..')
const addon = './packages/storybook-addon'
const command = './packages/migrate'
const packages = [
  './packages/engine',
  './packages/msw',
  './packages/panel',
  './packages/vite-plugin',
  './packages/webpack-plugin',
  addon,
  command,
]
const commandName = '@understudy/migrate'
const addonName = '@understudy/storybook-addon'

interface Manifest {
  readonly name: string
  readonly exports: Record<string, unknown>
}

/**
 * The folder in which the tarballs are installed. It is outside the repository, so that no package of it can be
 * resolved.
 */
let project: string
let manifests: Manifest[]

beforeAll(async () => {
  manifests = await Promise.all(
    packages.map(async (path) => {
      return JSON.parse(await readFile(join(root, path, 'package.json'), 'utf8')) as Manifest
    }),
  )
  project = await realpath(await mkdtemp(join(tmpdir(), 'understudy-packed-')))
  await writeFile(join(project, 'package.json'), '{ "private": true, "type": "module" }')
  await npm(root, 'pack', '--pack-destination', project, ...packages)
})

afterAll(async () => {
  await rm(project, { recursive: true, force: true })
})

/** The entry with the middleware and the server: the only one whose types use classes of Node. */
const nodeServer = '@understudy/engine/server/node'

describe('only the engine', () => {
  beforeAll(async () => {
    await install((tarball) => tarball.startsWith('understudy-engine-'))
  })

  test('installs two other packages, and at most 5 MiB', async () => {
    const { stdout } = await npm(project, 'ls', '--all', '--parseable')
    const installed = stdout.trim().split('\n').slice(1)
    expect(installed.map((path) => path.slice(path.indexOf('node_modules/') + 13)).toSorted(), stdout).toEqual([
      '@understudy/engine',
      'cookie',
      'path-to-regexp',
    ])
    expect(await sizeOf(join(project, 'node_modules'))).toBeLessThanOrEqual(5 * 1024 * 1024)
  })

  test('contains no tests and no configuration', async () => {
    const files = await readdir(join(project, 'node_modules/@understudy/engine'), {
      recursive: true,
    })
    expect(files.filter((file) => /\.(test|test-d)\.|tsconfig|(?:^|\/)build\.ts/.test(file))).toEqual([])
    expect(files).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'package.json']))
  })

  test('contains the service worker as one classic script', async () => {
    const url = await evaluate(`import.meta.resolve('@understudy/engine/worker')`)
    const script = await readFile(new URL(url), 'utf8')
    // A script with `import` or `export` does not parse here.
    expect(() => new Script(script)).not.toThrow()
    expect(script).not.toMatch(/\bimport\(/)
  })
})

describe('the migration command', () => {
  beforeAll(async () => {
    await install((tarball) => /^understudy-(?:engine|migrate)-/.test(tarball))
  })

  test('runs by npx of the engine', async () => {
    const folder = join(project, 'to-migrate')
    await mkdir(folder)
    await writeFile(join(folder, 'package.json'), '{ "devDependencies": { "msw": "^2.14.0" } }')
    await writeFile(join(folder, 'handlers.js'), `import { http } from 'msw'\n`)
    await npm(project, 'exec', '--', '@understudy/engine', 'migrate', 'to-migrate', '--yes')
    expect(await readFile(join(folder, 'handlers.js'), 'utf8')).toBe(`import { http } from '@understudy/engine'\n`)
    await rm(folder, { recursive: true })
  })
})

describe('all packages that an app imports, except the addon for Storybook', () => {
  beforeAll(async () => {
    await install((tarball) => !/^understudy-(?:storybook-addon|migrate)-/.test(tarball))
  })

  test('do not install React: only hosts that embed the panel need it, and they have it', async () => {
    expect(await readdir(join(project, 'node_modules'))).not.toContain('react')
    expect(await evaluate(`typeof (await import('@understudy/vite-plugin')).understudy`)).toBe('function')
    await npm(project, 'install', '--prefer-offline', '--no-audit', '--no-fund', 'react@19', '@types/react@19')
  })

  test('import in Node by every exports key', async () => {
    for (const specifier of specifiers()) {
      const attributes = specifier.endsWith('.json') ? `, { with: { type: 'json' } }` : ''
      const names = await evaluate(`Object.keys(await import('${specifier}'${attributes})).sort().join()`)
      expect(names, specifier).not.toBe('')
    }
  })

  test('say what to install if Jest is missing', async () => {
    for (const name of ['node', 'jsdom']) {
      const failed = `await import('@understudy/engine/jest-${name}').then(String, (error) => error.message)`
      expect(await evaluate(failed)).toContain(
        `jest-environment-${name} is not installed. Run npm install --save-dev jest-environment-${name}.`,
      )
    }
  })

  test('are scripts by the condition of Jest', async () => {
    const entries = ['', '/browser', '/node', '/server', '/inspect']
    const code = entries.map(
      (entry) => `process.stdout.write(require.resolve('@understudy/engine${entry}') + ' ' +
      typeof require('@understudy/engine${entry}') + '\\n')`,
    )
    const { stdout } = await run(
      process.execPath,
      ['--conditions', '@understudy/jest', '--input-type=commonjs', '--eval', code.join(';')],
      { cwd: project },
    )
    expect(stdout.trim().split('\n')).toEqual(
      ['index', 'browser', 'node', 'server', 'inspect'].map((name) =>
        expect.stringMatching(new RegExp(`for-jest/${name}\\.cjs object$`)),
      ),
    )
  })

  test('type check in an app without the source condition', async () => {
    const modules = specifiers().filter((specifier) => !specifier.endsWith('.json') && specifier !== nodeServer)
    expect(await checkTypes(modules)).toEqual([])
  })

  test('have names for all types that TypeScript writes to declaration files', async () => {
    const code = `
      import { graphql, http, HttpHandler, GraphQLHandler, HttpResponse, matchRequestUrl, sse, ws } from '@understudy/engine'
      import { setupServer } from '@understudy/engine/node'
      import { inspect } from '@understudy/engine/inspect'

      export const { matches, params } = matchRequestUrl(new URL('http://localhost/1'), '/:id')
      export const handlers = [http.get('/:id', () => HttpResponse.json({})), graphql.query('A', () => {}), sse('/b', () => {})]
      export const { info } = new HttpHandler('GET', '/', () => {})
      export const operation = new GraphQLHandler('query', 'A', '*', () => HttpResponse.json({ data: {} })).info
      export const endpoint = graphql.link('http://localhost/graphql')
      export const { clients, addEventListener } = ws.link('ws://localhost')
      export const server = setupServer(...handlers)
      export const { events, cookies, listen, listHandlers } = server
      export const listed = listHandlers().map((handler) => handler.info)
      export const snapshot = inspect(server).snapshot()
    `
    expect(await checkCode(code, { declaration: true })).toEqual([])
  })

  describe('with TypeScript 5.4', () => {
    let compiler: string
    beforeAll(async () => {
      await npm(project, 'install', '--prefer-offline', '--no-audit', '--no-fund', 'typescript@5.4')
      compiler = join(project, 'node_modules/typescript/bin/tsc')
    })

    test('type check, also without skipLibCheck', async () => {
      const modules = specifiers().filter((specifier) => /^@understudy\/engine(?!\/server\/node)/.test(specifier))
      const named = modules.filter((specifier) => !specifier.endsWith('.json'))
      expect(await checkTypes(named, [], compiler)).toEqual([])
    })

    test('type check with the module resolution of earlier TypeScript, which does not read "exports"', async () => {
      const modules = specifiers().filter((specifier) => /^@understudy\/(?:engine|msw|webpack-plugin)/.test(specifier))
      const options = { module: 'commonjs', moduleResolution: 'node' }
      const named = modules.filter((each) => !/\/internal\/|\.json$/.test(each) && each !== nodeServer)
      expect(await checkTypes(named, [], compiler, { ...options, skipLibCheck: true })).toEqual([])
      // Dependencies may have types only for the resolution by "exports".
      const ofEngine = named.filter((each) => each.startsWith('@understudy/engine'))
      expect(await checkTypes(ofEngine, [], compiler, { ...options, skipLibCheck: false })).toEqual([])
    })
  })

  test('type check with classes of Node, in an app that has the types of Node', async () => {
    await npm(project, 'install', '--prefer-offline', '--no-audit', '--no-fund', '@types/node@24')
    expect(await checkTypes([nodeServer], ['node'])).toEqual([])
  })
})

describe('the addon of Storybook', () => {
  beforeAll(async () => {
    // npm installs Storybook, which is a peer dependency.
    await install((tarball) => !tarball.startsWith('understudy-migrate-'))
  })

  test('imports in Node by the keys for Node', async () => {
    for (const specifier of [addonName, `${addonName}/preset`, `${addonName}/preview`]) {
      expect(await evaluate(`Object.keys(await import('${specifier}')).sort().join()`), specifier).not.toBe('')
    }
  })

  test('contains the worker that its preset serves, and a manager that Storybook can bundle', async () => {
    const dirs = await evaluate(`JSON.stringify((await import('${addonName}/preset')).staticDirs([]))`)
    const [{ from, to }] = JSON.parse(dirs) as [{ from: string; to: string }]
    expect([await readdir(from), to]).toEqual([[expect.stringMatching(/^understudy-storybook-worker-.*\.js$/)], '/'])
    const bundle = await build({
      stdin: { contents: `import '${addonName}/manager'`, resolveDir: project },
      bundle: true,
      write: false,
      format: 'esm',
      // The packages that Storybook's manager provides.
      external: ['react', 'react-dom', 'storybook/*', '@storybook/icons'],
    })
    expect(bundle.outputFiles[0]?.text).not.toContain('jsx-runtime')
  })

  test('type checks in an app', async () => {
    await npm(project, 'install', '--prefer-offline', '--no-audit', '--no-fund', 'react@19', '@types/react@19')
    expect(
      await checkTypes([addonName, `${addonName}/preset`, `${addonName}/preview`, `${addonName}/manager`]),
    ).toEqual([])
  })

  test('holds no tests', async () => {
    const files = await readdir(join(project, 'node_modules', addonName), { recursive: true })
    expect(files.filter((file) => /\.(test|test-d)\.|tsconfig|(?:^|\/)build\.ts/.test(file))).toEqual([])
    expect(files).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'package.json']))
  })
})

/** Checks the types in an app without the source condition. */
async function checkTypes(
  modules: readonly string[],
  types: readonly string[] = [],
  compiler: string = join(root, 'node_modules/typescript/bin/tsc'),
  options: object = {},
): Promise<string[]> {
  const code = modules.map((specifier, i) => `export * as entry${i} from '${specifier}'\n`).join('')
  return checkCode(code, { types, ...options }, compiler)
}

async function checkCode(
  code: string,
  options: object,
  compiler: string = join(root, 'node_modules/typescript/bin/tsc'),
): Promise<string[]> {
  await writeFile(join(project, 'app.ts'), code)
  await writeFile(
    join(project, 'tsconfig.json'),
    JSON.stringify({
      compilerOptions: { module: 'nodenext', target: 'es2022', strict: true, noEmit: true, types: [], ...options },
      files: ['app.ts'],
    }),
  )
  const { stdout } = await run(process.execPath, [compiler], { cwd: project }).catch(
    (error: { stdout: string }) => error,
  )
  // Vite's declarations need Node's types, which not every app has. Errors in other packages do not count.
  return stdout.split('\n').filter((line) => /^app\.ts|@understudy/.test(line))
}

/** Returns the specifier of every exports key that is a module. Some of the addon's are not for Node. */
function specifiers(): string[] {
  return (
    manifests
      .filter(({ name }) => name !== addonName && name !== commandName)
      .flatMap(({ name, exports }) => Object.keys(exports).map((key) => name + key.slice(1)))
      // Leave out scripts for browsers, the environments for Jest, and patterns.
      .filter((specifier) => !/\/(worker|mockServiceWorker\.js|page-script|dock-script|jest-\w+|\*)$/.test(specifier))
  )
}

async function install(isWanted: (tarball: string) => boolean): Promise<void> {
  const files = await readdir(project)
  const tarballs = files.filter((file) => file.endsWith('.tgz')).filter(isWanted)
  const flags = ['--prefer-offline', '--no-audit', '--no-fund']
  await npm(project, 'install', ...flags, ...tarballs.map((file) => `./${file}`))
}

function npm(cwd: string, ...args: string[]): Promise<{ stdout: string; stderr: string }> {
  return run('npm', args, { cwd })
}

async function evaluate(expression: string): Promise<string> {
  const code = `process.stdout.write(${expression})`
  const args = ['--input-type=module', '--eval', code]
  const { stdout } = await run(process.execPath, args, { cwd: project })
  return stdout
}

async function sizeOf(directory: string): Promise<number> {
  let bytes = 0
  for (const entry of await readdir(directory, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) bytes += (await stat(join(entry.parentPath, entry.name))).size
  }
  return bytes
}
