import { describe, expect, test } from 'vitest'

import { migrateFiles } from './testing/migrate-files.ts'
import { browser, handlers, manifest, viteConfig, viteProject } from './testing/projects.ts'

describe('configurations', () => {
  test.each([
    [`export default defineConfig(({ mode }) => ({ plugins: [a(mode)] }))`, 'plugins: [a(mode), understudy()]'],
    [
      `export default defineConfig(() => {\n  const b = 1\n  return { base: b }\n})`,
      'return { plugins: [understudy()], base: b }',
    ],
    [`const config = { plugins }\nexport default config`, 'plugins: [...plugins, understudy()]'],
    [
      `export default { plugins: [\n    a(),\n    b(),\n  ] } satisfies UserConfig`,
      'plugins: [\n    a(),\n    b(),\n    understudy(),\n  ]',
    ],
    [`export default mergeConfig(base, defineConfig({}))`, 'defineConfig({ plugins: [understudy()] })'],
    [`export default { plugins: [a && b()].filter(Boolean) }`, '[a && b(), understudy()].filter(Boolean)'],
  ])('%s', async (config, expected) => {
    const { files } = await migrateFiles({ ...viteProject, 'vite.config.ts': `${config}\n` })
    expect(files['vite.config.ts']).toContain(expected)
    expect(files['vite.config.ts']).toContain(`import understudy from '@understudy/vite-plugin'`)
  })

  test('a configuration that exports no object gets a note', async () => {
    const { output } = await migrateFiles({ ...viteProject, 'vite.config.ts': `export { default } from './base'\n` })
    expect(output).toContain('Add understudy() to "plugins", imported from @understudy/vite-plugin.')
  })
})

test('a webpack app gets the plugin', async () => {
  const { files } = await migrateFiles({
    'package.json': manifest,
    'webpack.config.js': `const path = require('path')\nconst HtmlPlugin = require('html-webpack-plugin')\n\nmodule.exports = {\n  entry: './src/main.js',\n  plugins: [new HtmlPlugin()],\n}\n`,
    'src/mocks/browser.js': browser,
    'src/mocks/handlers.js': handlers,
    'src/main.js': `require('./mocks/browser').worker.start()\n`,
  })
  expect(files['webpack.config.js']).toBe(
    `const path = require('path')\nconst HtmlPlugin = require('html-webpack-plugin')\nconst { UnderstudyWebpackPlugin } = require('@understudy/webpack-plugin')\n\nmodule.exports = {\n  entry: './src/main.js',\n  plugins: [new HtmlPlugin(), new UnderstudyWebpackPlugin()],\n}\n`,
  )
  expect(files['src/main.js']).toBe('')
})

test.for(['^5.4.0', '~4.1.0', '5', '>=5.0.0'])(
  'Vite %s keeps the worker in the page, because the plugin needs Vite 6',
  async (version) => {
    const { files, output } = await migrateFiles({
      ...viteProject,
      'package.json': manifest.replace('^8.0.0', version),
      'src/main.ts': "import { worker } from './mocks/browser'\nworker.start()\n",
    })
    expect(files['vite.config.ts']).toBe(viteConfig)
    expect(files['package.json']).not.toContain('vite-plugin')
    expect(files['src/mocks/browser.ts']).toContain("from '@understudy/engine/browser'")
    expect(files['public/understudy-worker.js']).toBeDefined()
    expect(output).not.toContain('This file still names')
    expect(output).toContain('needs Vite 6 or later')
  },
)

describe('a project without such a build tool', () => {
  test("keeps its set-up, with Understudy's worker instead of MSW's", async () => {
    const { files, output } = await migrateFiles({
      'package.json': manifest,
      'public/mockServiceWorker.js': '/* Mock Service Worker. */',
      'src/mocks/browser.ts': browser,
      'src/mocks/handlers.ts': handlers,
      'src/main.ts': `import { worker } from './mocks/browser'\n\nworker.start({ serviceWorker: { url: '/mockServiceWorker.js' } })\n`,
    })
    expect(files['src/mocks/browser.ts']).toContain('@understudy/engine/browser')
    expect(files['src/main.ts']).toContain("url: '/understudy-worker.js'")
    expect(files['public/understudy-worker.js']).toMatch(/addEventListener/)
    expect(files).not.toHaveProperty('public/mockServiceWorker.js')
    expect(output).toContain('Copy this file from @understudy/engine/dist/worker.js')
  })

  test('a Node service changes its imports and its manifest', async () => {
    const { files } = await migrateFiles({
      'package.json': `{"dependencies":{"undici":"8"},"devDependencies":{"msw":"3.0.0"}}`,
      'test/server.test.mjs': `import { http } from 'msw'\nimport { setupServer } from 'msw/node'\n`,
    })
    expect(files['test/server.test.mjs']).toBe(
      `import { http } from '@understudy/engine'\nimport { setupServer } from '@understudy/engine/node'\n`,
    )
    expect(JSON.parse(files['package.json'] ?? '')).toEqual({
      dependencies: { undici: '8' },
      devDependencies: { '@understudy/engine': '^0.1.0' },
    })
  })

  test('a package of mocks renames its peer dependency', async () => {
    const { files } = await migrateFiles({
      'package.json': `{"peerDependencies":{"msw":">=2"},"peerDependenciesMeta":{"msw":{"optional":true}}}`,
      'src/index.js': `export { http } from 'msw'\n`,
    })
    expect(JSON.parse(files['package.json'] ?? '')).toEqual({
      peerDependencies: { '@understudy/engine': '^0.1.0' },
      peerDependenciesMeta: { '@understudy/engine': { optional: true } },
    })
  })
})

describe('a SvelteKit app', () => {
  const kit = {
    ...viteProject,
    'src/hooks.client.ts': `import { dev } from '$app/environment'

if (dev) {
  const { worker } = await import('./mocks/browser')
  await worker.start()
}
`,
    'src/hooks.server.ts': `import { dev } from '$app/environment'

if (dev) {
  const { server } = await import('./mocks/node')
  server.listen()
}
`,
    'src/mocks/node.ts': `import { setupServer } from 'msw/node'\nimport { handlers } from './handlers'\nexport const server = setupServer(...handlers)\n`,
  }

  test('has a note for code that starts the server, because the plugin mocks the server', async () => {
    const { output } = await migrateFiles(kit)
    expect(output).toContain('src/hooks.server.ts:5\n    The plugin mocks the requests of the server. Remove')
  })

  test('has no note if it has no worker, because then it gets no plugin', async () => {
    const { 'src/hooks.client.ts': _, ...withWorker } = kit
    const { 'src/mocks/browser.ts': __, ...files } = withWorker
    const { output } = await migrateFiles(files)
    expect(output).not.toContain('The plugin mocks')
  })

  test('has no note for another server that listens there', async () => {
    const text = `import { createServer } from 'node:http'\n\ncreateServer().listen(3000)\n`
    const { output } = await migrateFiles({ ...kit, 'src/hooks.server.ts': text })
    expect(output).not.toContain('The plugin mocks')
  })

  test('has no note for the condition "dev", because it is about development', async () => {
    const { files, output } = await migrateFiles(kit)
    expect(files['src/hooks.client.ts'], output).toBe('')
    expect(output).not.toContain('only under this condition')
  })

  test('has a note for another condition with this name', async () => {
    const { output } = await migrateFiles({
      ...kit,
      'src/hooks.client.ts': kit['src/hooks.client.ts'].replace('$app/environment', './flags'),
    })
    expect(output).toContain('only under this condition: dev')
  })
})

test('an Angular app keeps its worker, with a note about the builder', async () => {
  const { 'vite.config.ts': _, ...files } = viteProject
  const { output } = await migrateFiles({ ...files, 'angular.json': '{}' })
  expect(output).toContain(`angular.json\n    The page keeps setupWorker(). To remove it, use Understudy's builder`)
})
