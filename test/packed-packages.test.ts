import { execFile } from 'node:child_process'
import { mkdtemp, readFile, readdir, realpath, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { Script } from 'node:vm'

import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const run = promisify(execFile)
const root = resolve(import.meta.dirname, '..')
const packages = ['./packages/engine', './packages/panel', './packages/vite-plugin', './packages/webpack-plugin']

interface Manifest {
  readonly name: string
  readonly exports: Record<string, unknown>
}

/** Where the tarballs get installed: outside the repository, so that nothing of it can be resolved. */
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

describe('the engine alone', () => {
  beforeAll(async () => {
    await install((tarball) => tarball.startsWith('understudy-engine-'))
  })

  test('brings at most 15 packages and 5 MB', async () => {
    const { stdout } = await npm(project, 'ls', '--all', '--parseable')
    const installed = stdout.trim().split('\n').slice(1)
    expect(installed.length, stdout).toBeLessThanOrEqual(15)
    expect(await sizeOf(join(project, 'node_modules'))).toBeLessThanOrEqual(5_000_000)
  })

  test('holds no tests and no configuration', async () => {
    const files = await readdir(join(project, 'node_modules/@understudy/engine'), {
      recursive: true,
    })
    expect(files.filter((file) => /\.(test|test-d)\.|tsconfig|build\.ts/.test(file))).toEqual([])
    expect(files).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'package.json']))
  })

  test('gives the service worker as one classic script', async () => {
    const url = await evaluate(`import.meta.resolve('@understudy/engine/worker')`)
    const script = await readFile(new URL(url), 'utf8')
    // A script that is not classic does not parse here: `import` and `export` are for modules.
    expect(() => new Script(script)).not.toThrow()
    expect(script).not.toMatch(/\bimport\(/)
  })
})

describe('all packages', () => {
  beforeAll(async () => {
    await install(() => true)
  })

  test('bring no React: only who embeds the panel needs it, and has it', async () => {
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

  test('type check in an app that knows no source condition', async () => {
    const modules = specifiers().filter((specifier) => !specifier.endsWith('.json'))
    await writeFile(
      join(project, 'app.ts'),
      modules.map((specifier, i) => `export * as entry${i} from '${specifier}'\n`).join(''),
    )
    await writeFile(
      join(project, 'tsconfig.json'),
      JSON.stringify({
        compilerOptions: { module: 'nodenext', target: 'es2024', strict: true, noEmit: true },
        files: ['app.ts'],
      }),
    )
    const compiler = join(root, 'node_modules/typescript/bin/tsc')
    const { stdout } = await run(process.execPath, [compiler], { cwd: project }).catch(
      (error: { stdout: string }) => error,
    )
    // Vite's declarations want Node's, which not every app has: what others lack is not ours.
    expect(stdout.split('\n').filter((line) => /^app\.ts|@understudy/.test(line))).toEqual([])
  })
})

/** Every exports key that is a module, as an app would write it. */
function specifiers(): string[] {
  return (
    manifests
      .flatMap(({ name, exports }) => Object.keys(exports).map((key) => name + key.slice(1)))
      // Scripts for browsers.
      .filter((specifier) => !['@understudy/engine/worker', '@understudy/panel/page-script'].includes(specifier))
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
