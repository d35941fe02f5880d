/** Tests a release: installs its packages from a registry into new projects, as in the documentation, until the first mocked response. */
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'

import type { Browser } from 'playwright'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { stagePackages, type StagedPackage } from '../../../release/stage-packages.ts'
import { launchBrowser, openVisit } from '../../../test/acceptance/browser.ts'
import { findPort, runTool } from '../../../test/acceptance/run-tool.ts'
import { startRegistry, type Registry } from './registry.ts'

const run = promisify(execFile)
const managers = ['npm', 'pnpm'] as const
const documentation = resolve(import.meta.dirname, '../../../docs')
const pnpm = resolve(import.meta.dirname, '../node_modules/pnpm')

const script = `fetch('/api/user')
  .then((response) => response.json())
  .then(({ name }) => document.body.append('Hello, ' + name), (error) => document.body.append(String(error)))
`

/** An app without Understudy, and the page of the documentation that adds it. */
interface Starter {
  readonly name: string
  /** The name of the page, below `docs`. */
  readonly page: string
  /** The initial files of the app. */
  readonly packages: readonly string[]
  readonly files: Readonly<Record<string, string>>
  /** The script of the tool's command line. */
  readonly command: string
  readonly args: readonly string[]
  /** The output of a running server, all of it in any order, the path of the page, and the page's text. */
  readonly server?: { readonly ready: readonly RegExp[]; readonly path: string; readonly shows: string }
}

const starters: readonly Starter[] = [
  {
    name: 'Vite',
    page: 'vite',
    packages: ['vite'],
    files: {
      'index.html': '<!doctype html><body><script type="module" src="/src/main.js"></script></body>',
      'src/main.js': script,
    },
    command: 'node_modules/vite/bin/vite.js',
    args: ['--strictPort', '--port'],
    server: { ready: [/Local:\s+http/], path: '/', shows: 'Hello, Ada' },
  },
  {
    name: 'webpack',
    page: 'webpack',
    packages: ['webpack', 'webpack-cli', 'webpack-dev-server', 'html-webpack-plugin'],
    files: { 'src/main.js': script },
    command: 'node_modules/webpack-cli/bin/cli.js',
    args: ['serve', '--port'],
    // webpack may print its result before the server listens.
    server: { ready: [/compiled/, /(?:Loopback|Local):/], path: '/', shows: 'Hello, Ada' },
  },
  {
    name: 'Rsbuild',
    page: 'rsbuild',
    packages: ['@rsbuild/core'],
    files: { 'src/index.js': script },
    command: 'node_modules/@rsbuild/core/bin/rsbuild.js',
    args: ['dev', '--port'],
    // Rsbuild prints its own addresses before it listens.
    server: { ready: [/Understudy:\s+http/], path: '/', shows: 'Hello, Ada' },
  },
  {
    name: 'Storybook',
    page: 'storybook',
    packages: ['storybook', '@storybook/react-vite', 'vite', 'react', 'react-dom'],
    files: {
      '.storybook/main.ts': `export default {
  stories: ['../src/**/*.stories.ts'],
  framework: '@storybook/react-vite',
  // The addons.
}
`,
      'src/UserList.tsx': `import { createElement, useEffect, useState } from 'react'

export function UserList() {
  const [text, setText] = useState('Loading')
  useEffect(() => {
    fetch('/api/users').then((response) => response.json()).then((users) => setText('Users: ' + users.length), (error) => setText(String(error)))
  }, [])
  return createElement('p', {}, text)
}
`,
    },
    command: 'node_modules/storybook/dist/bin/dispatcher.js',
    args: ['dev', '--ci', '--no-version-updates', '--disable-telemetry', '--port'],
    server: {
      ready: [/for manager and .+ for preview|Storybook ready/],
      path: '/iframe.html?id=userlist--empty',
      shows: 'Users: 0',
    },
  },
  { name: 'Vitest', page: 'vitest', packages: [], files: {}, command: 'node_modules/vitest/vitest.mjs', args: ['run'] },
]

let folder: string
let registry: Registry
let browser: Browser
let staged: StagedPackage[]

beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'understudy-registry-')))
  ;[staged, registry, browser] = await Promise.all([
    stagePackages(join(folder, 'staged'), {}),
    startRegistry(folder),
    launchBrowser(),
  ])
  for (const { folder: published } of staged) await registry.publish(published)
}, 300_000)

afterAll(async () => {
  await Promise.all([browser.close(), registry.stop()])
  await rm(folder, { recursive: true, force: true })
})

test('every package and its dependencies are published', async () => {
  expect(staged).toHaveLength(7)
  for (const { name, version } of staged) {
    const answer = await fetch(`${registry.url}${name.replace('/', '%2f')}/latest`)
    const manifest = (await answer.json()) as { version: string; dependencies?: Record<string, string> }
    expect(manifest.version, name).toBe(version)
    const own = Object.entries(manifest.dependencies ?? {}).filter(([other]) => other.startsWith('@understudy/'))
    for (const [other, range] of own) expect(range, `${name} needs ${other}`).toBe(version)
  }
})

describe.each(managers)('%s', (manager) => {
  // With npm, the test of `storybook add` below takes the steps for Storybook.
  const tested = starters.filter(({ name }) => manager !== 'npm' || name !== 'Storybook')
  test.each(tested)('the steps of $name lead to the first mocked response', { timeout: 420_000 }, async (starter) => {
    const project = join(folder, `${manager}-${starter.name}`)
    await writeProject(project, { 'package.json': '{ "private": true, "type": "module" }\n', ...starter.files })
    if (starter.packages.length > 0) await add(manager, project, starter.packages)
    const start = performance.now()
    const { packages, files, addons } = await readPage(starter.page)
    await add(manager, project, packages)
    const main = starter.files['.storybook/main.ts']
    if (main !== undefined) files['.storybook/main.ts'] = main.replace('// The addons.', addons)
    await writeProject(project, files)
    const installed = performance.now()
    expect(await realpath(join(project, 'node_modules/@understudy/engine'))).toContain(project)
    const output = await runStarter(starter, project)
    expect(output).toContain(starter.server?.shows ?? '1 passed')
    const seconds = (from: number, to: number): string => ((to - from) / 1000).toFixed(1)
    const end = performance.now()
    console.log(
      `${manager}, ${starter.name}: installed in ${seconds(start, installed)} s, mocked after ${seconds(start, end)} s`,
    )
  })
})

test(
  'npm, the steps of Storybook: storybook add installs the addon and registers it',
  { timeout: 420_000 },
  async () => {
    const starter = starters.find(({ name }) => name === 'Storybook')
    if (!starter) throw new Error('There is no starter for Storybook.')
    const project = join(folder, 'storybook-add')
    const { packages, files } = await readPage('storybook')
    await writeProject(project, {
      'package.json': '{ "private": true, "type": "module" }\n',
      ...starter.files,
      ...files,
    })
    // `storybook add` runs @storybook/cli in the version of Storybook. Not every registry has it for the newest one.
    const versions = starter.packages.map((name) => (name.includes('storybook') ? `${name}@10.6.1` : name))
    await add('npm', project, versions)
    const env = { ...registry.env, STORYBOOK_DISABLE_TELEMETRY: '1', CI: '1' }
    const args = ['add', '@understudy/storybook-addon', '--yes', '--package-manager', 'npm', '--disable-telemetry']
    const tool = runTool(join(project, starter.command), args, { folder: project, env })
    expect(await tool.exit, tool.output).toBe(0)
    expect(await readFile(join(project, '.storybook/main.ts'), 'utf8')).toContain('@understudy/storybook-addon')
    const manifest = JSON.parse(await readFile(join(project, 'package.json'), 'utf8')) as {
      devDependencies: Record<string, string>
    }
    expect(manifest.devDependencies).toHaveProperty('@understudy/storybook-addon')
    await add('npm', project, packages)
    expect(await realpath(join(project, 'node_modules/@understudy/engine'))).toContain(project)
    expect(await runStarter(starter, project)).toContain('Users: 0')
  },
)

/** The packages and files of a page. */
async function readPage(name: string): Promise<{ packages: string[]; files: Record<string, string>; addons: string }> {
  const text = await readFile(join(documentation, `${name}.md`), 'utf8')
  const packages = /npm install --save-dev (.+)/.exec(text)?.[1]?.split(' ') ?? []
  const files: Record<string, string> = {}
  // Later blocks have other topics, such as an override or another configuration.
  const blocks = text.matchAll(/^```ts\n\/\/ (\S+)\n([\s\S]*?)^```/gm)
  for (const [, file = '', code = ''] of blocks) if (!Object.hasOwn(files, file)) files[file] = code
  const wanted =
    /^(?:vite\.config|vitest\.config|webpack\.config|rsbuild\.config|src\/mocks\/handlers|src\/user(?:\.test)?|src\/UserList\.stories)\.ts$/
  return {
    packages,
    files: Object.fromEntries(Object.entries(files).filter(([file]) => wanted.test(file))),
    addons: /^ *(addons: \[.*\],)$/m.exec(text)?.[1] ?? '',
  }
}

/** Runs the tool. Returns the text of its page, or its output. */
async function runStarter({ command, args, server }: Starter, project: string): Promise<string> {
  const env = { STORYBOOK_DISABLE_TELEMETRY: '1', CI: '1' }
  const port = await findPort()
  const allArgs = server ? [...args, String(port)] : args
  const tool = runTool(join(project, command), allArgs, { folder: project, env })
  try {
    if (!server) {
      await tool.exit
      return tool.output
    }
    await Promise.all(server.ready.map((pattern) => tool.untilSaid(pattern)))
    const { page, errors, close } = await openVisit(browser)
    await page.goto(`http://localhost:${port}${server.path}`)
    await expect.poll(() => page.innerText('body'), { timeout: 60_000 }).toContain(server.shows)
    const text = await page.innerText('body')
    expect(errors).toEqual([])
    await close()
    return text
  } catch (error) {
    // The end of a second tier prints only the beginning of a message.
    throw new Error(`Failed to see the first mock: ${String(error)}\nThe tool said:\n${tool.output}`, { cause: error })
  } finally {
    await tool.stop()
  }
}

async function writeProject(project: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [file, text] of Object.entries(files)) {
    await mkdir(dirname(join(project, file)), { recursive: true })
    await writeFile(join(project, file), text)
  }
}

async function add(manager: (typeof managers)[number], cwd: string, packages: readonly string[]): Promise<void> {
  const options = { cwd, env: { ...process.env, ...registry.env }, maxBuffer: Infinity }
  if (manager === 'npm') {
    await run('npm', ['install', '--save-dev', '--no-audit', '--no-fund', ...packages], options)
    return
  }
  // A package that was published a minute ago may be too young for pnpm.
  const settings = ['--config.minimum-release-age=0', '--ignore-scripts', `--store-dir=${join(folder, 'store')}`]
  const { bin } = JSON.parse(await readFile(join(pnpm, 'package.json'), 'utf8')) as { bin: Record<string, string> }
  await run(process.execPath, [join(pnpm, bin['pnpm'] ?? ''), 'add', '--save-dev', ...settings, ...packages], options)
}
