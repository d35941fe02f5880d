import { describe, expect, test } from 'vitest'

import { migrateFiles } from './testing/migrate-files.ts'
import { viteProject } from './testing/projects.ts'

const manifest = (dependencies: Record<string, string> = {}, scripts?: Record<string, string>): string =>
  `${JSON.stringify({ ...(scripts && { scripts }), dependencies, devDependencies: { msw: '^2.12.0' } }, undefined, 2)}\n`
const project = {
  'package.json': manifest(),
  'public/mockServiceWorker.js': '/* Mock Service Worker. */',
  'src/mocks/browser.js': `import { setupWorker } from 'msw/browser'\nimport { handlers } from './handlers'\nexport const worker = setupWorker(...handlers)\n`,
  'src/mocks/handlers.js': `import { http } from 'msw'\nexport const handlers = [http.get('/', () => undefined)]\n`,
  'src/main.js': `import { worker } from './mocks/browser'\nworker.start({ quiet: true })\n`,
}

describe('webpack configurations in parts', () => {
  const common = `const path = require('path');\n\nmodule.exports = {\n  entry: './src/main.js',\n  plugins: [],\n};\n`
  const dev = `const { merge } = require('webpack-merge');\nconst common = require('./webpack.common.js');\n\nmodule.exports = merge(common, { mode: 'development' });\n`

  test.each(['', 'webpack/', 'config/'])('in "%s": the shared part gets the plugin', async (folder) => {
    const { files, output } = await migrateFiles({
      ...project,
      [`${folder}webpack.common.js`]: common,
      [`${folder}webpack.dev.js`]: dev,
    })
    expect(files[`${folder}webpack.common.js`], output).toBe(
      `const path = require('path');\nconst { UnderstudyWebpackPlugin } = require('@understudy/webpack-plugin');\n\nmodule.exports = {\n  entry: './src/main.js',\n  plugins: [new UnderstudyWebpackPlugin({ quiet: true })],\n};\n`,
    )
    expect(files[`${folder}webpack.dev.js`]).toBe(dev)
    expect(Object.keys(files)).not.toContain('public/understudy-worker.js')
    expect(files['src/main.js']).toBe('')
  })

  test('without a shared part, the part for development gets it', async () => {
    const { files, output } = await migrateFiles({ ...project, 'webpack/webpack.dev.js': dev })
    expect(files['webpack/webpack.dev.js'], output).toContain(
      `merge(common, { plugins: [new UnderstudyWebpackPlugin({ quiet: true })], mode: 'development' })`,
    )
  })

  test('a list of configurations gets a note', async () => {
    const { output } = await migrateFiles({ ...project, 'webpack.config.js': 'module.exports = [{}, {}]\n' })
    expect(output).toContain('webpack.config.js\n    Add new UnderstudyWebpackPlugin({ quiet: true }) to "plugins"')
  })
})

test('an Rsbuild app gets the plugin', async () => {
  const { files, output } = await migrateFiles({
    ...project,
    'rsbuild.config.ts': `import { defineConfig } from '@rsbuild/core'\nimport { pluginReact } from '@rsbuild/plugin-react'\n\nexport default defineConfig({\n  plugins: [pluginReact()],\n})\n`,
  })
  expect(files['rsbuild.config.ts'], output).toBe(
    `import { defineConfig } from '@rsbuild/core'\nimport { pluginReact } from '@rsbuild/plugin-react'\nimport { pluginUnderstudy } from '@understudy/webpack-plugin/rsbuild'\n\nexport default defineConfig({\n  plugins: [pluginReact(), pluginUnderstudy({ quiet: true })],\n})\n`,
  )
  expect(files['package.json']).toContain('@understudy/webpack-plugin')
  expect(Object.keys(files)).not.toContain('public/understudy-worker.js')
})

describe('a Next.js app', () => {
  const next = { ...project, 'package.json': manifest({ next: '^16.0.0' }) }

  test.each([
    [
      'next.config.ts',
      `import type { NextConfig } from 'next'\n\nconst nextConfig: NextConfig = {}\n\nexport default nextConfig\n`,
      `import type { NextConfig } from 'next'\nimport { withUnderstudy } from '@understudy/webpack-plugin/next'\n\nconst nextConfig: NextConfig = {}\n\nexport default withUnderstudy(nextConfig, { quiet: true })\n`,
    ],
    [
      'next.config.js',
      `/** @type {import('next').NextConfig} */\nmodule.exports = { reactStrictMode: true }\n`,
      `const { withUnderstudy } = require('@understudy/webpack-plugin/next')\n\n/** @type {import('next').NextConfig} */\nmodule.exports = withUnderstudy({ reactStrictMode: true }, { quiet: true })\n`,
    ],
    [
      'next.config.mjs',
      `import withMdx from '@next/mdx'\n\nexport default withMdx()({});\n`,
      `import withMdx from '@next/mdx'\nimport { withUnderstudy } from '@understudy/webpack-plugin/next'\n\nexport default withUnderstudy(withMdx()({}), { quiet: true });\n`,
    ],
    [
      'next.config.mjs',
      `export default async () => ({})\n`,
      `import { withUnderstudy } from '@understudy/webpack-plugin/next'\n\nexport default withUnderstudy(async () => ({}), { quiet: true })\n`,
    ],
  ])('%s is passed to withUnderstudy()', async (path, before, after) => {
    const { files, output } = await migrateFiles({ ...next, [path]: before })
    expect(files[path], output).toBe(after)
    expect(files['package.json']).toContain('@understudy/webpack-plugin')
    expect(Object.keys(files)).not.toContain('public/understudy-worker.js')
    // A second run has nothing to do.
    expect((await migrateFiles(files)).files).toEqual(files)
  })

  test('a configuration that is a declared function gets a note', async () => {
    const { output } = await migrateFiles({ ...next, 'next.config.mjs': `export default function config() {}\n` })
    expect(output).toContain('next.config.mjs\n    Export withUnderstudy(config, { quiet: true })')
  })

  test('code that starts the server is named, because withUnderstudy() mocks the server', async () => {
    const { output } = await migrateFiles({
      ...next,
      'next.config.mjs': 'export default {}\n',
      'src/instrumentation.ts': `export async function register() {\n  const { server } = await import('./mocks/node')\n  server.listen()\n}\n`,
      'src/mocks/node.ts': `import { setupServer } from 'msw/node'\nimport { handlers } from './handlers'\nexport const server = setupServer(...handlers)\n`,
    })
    expect(output).toContain('src/instrumentation.ts:3\n    withUnderstudy() mocks the requests of the server. Remove')
  })

  test.each(['15.5.4', '~15.3.0', '16.0.3', '^16.1.0', '>=15'])('version %s gets the plugin', async (version) => {
    const { files, output } = await migrateFiles({
      ...next,
      'package.json': manifest({ next: version }),
      'next.config.mjs': 'export default {}\n',
    })
    expect(output).not.toContain('or later')
    expect(files['next.config.mjs']).toContain('withUnderstudy({}')
    expect(Object.keys(files)).not.toContain('public/understudy-worker.js')
  })

  test.each(['^14.2.0', '13.5.6'])('version %s keeps setupWorker()', async (version) => {
    const { files, output } = await migrateFiles({
      ...next,
      'package.json': manifest({ next: version }),
      'next.config.mjs': 'export default {}\n',
    })
    expect(output).toContain('needs Next.js 15 or later. The page keeps setupWorker().')
    expect(files['next.config.mjs']).toBe('export default {}\n')
    expect(Object.keys(files)).toContain('public/understudy-worker.js')
  })
})

test('workflows, hooks and Dockerfiles that run "msw init" get a note with the line', async () => {
  const { output } = await migrateFiles({
    ...viteProject,
    '.github/workflows/ci.yml': 'steps:\n  - run: npm ci\n  - run: npx msw init public\n',
    '.husky/post-merge': 'npx msw init public\n',
    Dockerfile: 'RUN npm ci\nRUN npx msw@2 init public --save\n',
    'a.yaml': 'text: mswinit\n',
  })
  for (const place of ['.github/workflows/ci.yml:3', '.husky/post-merge:1', 'Dockerfile:2'])
    expect(output).toContain(`${place}\n    This line copies MSW's worker. Remove the command`)
  expect(output).not.toContain('a.yaml')
})

describe('scripts that run "msw init"', () => {
  test.each([
    ['{"postinstall":"msw init public/ --save"}', '{}'],
    ['{"prepare":"husky && npx msw init ./public --save"}', '{"prepare":"husky"}'],
    ['{"prepare":"husky && npx -y msw@latest init ./public"}', '{"prepare":"husky"}'],
    ['{"prepare":"husky && pnpm dlx msw@^2.1.0 init public"}', '{"prepare":"husky"}'],
    ['{"postinstall":"msw init public && patch-package"}', '{"postinstall":"patch-package"}'],
  ])('%s', async (before, after) => {
    const { files } = await migrateFiles({
      ...project,
      'package.json': manifest({}, JSON.parse(before) as Record<string, string>),
    })
    expect((JSON.parse(files['package.json'] ?? '') as { scripts: unknown }).scripts).toEqual(JSON.parse(after))
  })

  test.each([
    ['msw init public || true'],
    ['msw init public; vite'],
    ['cp node_modules/msw/lib/mockServiceWorker.js public/'],
  ])('%s gets a note', async (script) => {
    const { output } = await migrateFiles({ ...project, 'package.json': manifest({}, { prepare: script }) })
    expect(output).toContain(`The script "prepare" copies MSW's worker. Remove the command`)
  })

  test('a script that another one runs stays, with a note', async () => {
    const { files, output } = await migrateFiles({
      ...project,
      'package.json': manifest({}, { 'msw:init': 'msw init public', postinstall: 'npm run msw:init' }),
    })
    expect(output).toContain(`The script "msw:init" copies MSW's worker. Remove the command`)
    expect(files['package.json']).toContain('"msw:init"')
  })

  test('the alias has this command', async () => {
    const { files } = await migrateFiles({
      'package.json': `{ "scripts": { "prepare": "msw init public" }, "devDependencies": { "msw": "2", "@mswjs/data": "1" } }`,
    })
    expect(JSON.parse(files['package.json'] ?? '')).toMatchObject({ scripts: { prepare: 'msw init public' } })
  })
})

test('a function for unhandled requests is printed, because it goes with the start code', async () => {
  const { output } = await migrateFiles({
    ...project,
    'vite.config.js': 'export default {}\n',
    'src/main.js': `import { worker } from './mocks/browser'\nworker.start({\n  onUnhandledRequest(request, print) {\n    print.warning()\n  },\n})\n`,
  })
  expect(output).toContain(
    'src/main.js:3\n    Export this function from the handlers module, as "onUnhandledRequest":\n' +
      '    onUnhandledRequest(request, print) {\n        print.warning()\n      }',
  )
})
