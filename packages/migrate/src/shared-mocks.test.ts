import { describe, expect, test } from 'vitest'

import { migrateFiles } from './testing/migrate-files.ts'
import { browser, handlers, manifest } from './testing/projects.ts'

const workerFile = '/* Mock Service Worker. */'
const main = `import { worker } from '@acme/mocks/browser'\nawait worker.start()\n`

/** A package whose worker starts in other packages of the repository. */
const mocks = {
  'packages/mocks/package.json': manifest.replace('"app"', '"@acme/mocks"'),
  'packages/mocks/src/browser.ts': browser,
  'packages/mocks/src/handlers.ts': handlers,
}

/** An app that has the worker file. */
function app(folder: string, dependencies: Record<string, string>, files: Record<string, string>) {
  const own = {
    'package.json': `${JSON.stringify({ dependencies })}\n`,
    'public/mockServiceWorker.js': workerFile,
    ...files,
  }
  return Object.fromEntries(Object.entries(own).map(([path, text]) => [`${folder}${path}`, text]))
}

describe('the worker file of an app whose worker starts in another package of the repository is replaced', () => {
  test.each([
    ['a dependency', { '@acme/mocks': '*' }, {}],
    ['an import by name', {}, { 'src/main.ts': main }],
    ['a relative import', {}, { 'src/main.ts': `import('../../../packages/mocks/src/browser')\n` }],
  ])('%s', async (_name, dependencies, files) => {
    const result = await migrateFiles({ ...mocks, ...app('apps/web/', dependencies, files) })
    expect(result.files['apps/web/public/understudy-worker.js'], result.output).toMatch(/addEventListener/)
    expect(result.files).not.toHaveProperty('apps/web/public/mockServiceWorker.js')
  })

  test('a dependency of a dependency', async () => {
    const { files, output } = await migrateFiles({
      ...mocks,
      'packages/tools/package.json': `{ "name": "@acme/tools", "dependencies": { "@acme/mocks": "*" } }`,
      ...app('apps/web/', { '@acme/tools': '*' }, {}),
    })
    expect(files['apps/web/public/understudy-worker.js'], output).toMatch(/addEventListener/)
  })
})

describe('the worker file stays, with a note, if no code of the repository starts it', () => {
  const expected = 'public/mockServiceWorker.js\n    This file stays, because no code here starts the worker.'

  test.each([
    ['in a project that does not name MSW', app('', { '@acme/mocks': '1.0.0' }, { 'src/main.ts': main })],
    ['in a project that names MSW', app('', { '@acme/mocks': '1.0.0', msw: '2.0.0' }, { 'src/main.ts': main })],
    [
      'in a folder of a monorepo',
      { 'src/main.ts': `${main}fetch('/mockServiceWorker.js')\n`, 'public/mockServiceWorker.js': workerFile },
    ],
  ])('%s', async (_name, project) => {
    const { files, output } = await migrateFiles(project)
    expect(files['public/mockServiceWorker.js']).toBe(workerFile)
    expect(output).toContain(expected)
    expect(output).not.toContain('which no longer exists')
  })

  test('because nothing depends on the package that starts a worker', async () => {
    const { files, output } = await migrateFiles({
      'apps/admin/package.json': manifest.replace('"app"', '"web"'),
      'apps/admin/src/mocks/browser.ts': browser,
      'apps/admin/src/mocks/handlers.ts': handlers,
      ...app('apps/other/', { react: '19' }, { 'src/main.ts': `build({ platform: 'web' })\nimport './web'\n` }),
    })
    expect(files['apps/admin/public/understudy-worker.js'], output).toBeUndefined()
    expect(files).not.toHaveProperty('apps/other/public/understudy-worker.js')
    expect(output).toContain(`apps/other/${expected}`)
  })
})

test('an app with Storybook gets no worker file because another app starts its own worker', async () => {
  const { files } = await migrateFiles({
    'apps/angular/package.json': manifest.replace('"app"', '"angular"'),
    'apps/angular/src/mocks/browser.ts': browser,
    'apps/angular/src/mocks/handlers.ts': handlers,
    'apps/angular/public/mockServiceWorker.js': workerFile,
    ...app(
      'apps/ui/',
      {},
      {
        'package.json': `{ "devDependencies": { "msw": "2.0.0", "msw-storybook-addon": "2.0.0" } }`,
        '.storybook/preview.ts': `import { initialize } from 'msw-storybook-addon'\ninitialize()\n`,
      },
    ),
  })
  expect(files['apps/angular/public/understudy-worker.js']).toBeDefined()
  expect(files).not.toHaveProperty('apps/ui/public/understudy-worker.js')
  expect(files).not.toHaveProperty('apps/ui/public/mockServiceWorker.js')
})

describe('an app whose tests import mocks of another package', () => {
  const note =
    'jest.config.js\n    If the tests import mocks of another package of the repository: Jest finds the engine by a condition. Add "@understudy/jest"'
  const server = {
    'packages/mocks/src/node.ts': "import { setupServer } from 'msw/node'\nexport const server = setupServer()\n",
  }
  const config = "module.exports = { testEnvironment: 'jsdom' }\n"

  test('gets a note about the configuration of Jest', async () => {
    const files = { 'jest.config.js': config, 'jest.setup.js': "require('@acme/mocks/node')\n" }
    const result = await migrateFiles({ ...mocks, ...server, ...app('apps/web/', { jest: '^29.0.0' }, files) })
    expect(result.output).toContain(`apps/web/${note}`)
    expect(result.files['apps/web/jest.config.js']).toBe(config)
  })

  test('gets no note if Jest finds the engine, or if no package with mocks is used', async () => {
    const ready = config.replace('jsdom', '@understudy/engine/jest-jsdom')
    const result = await migrateFiles({
      ...mocks,
      ...server,
      ...app('apps/web/', { '@acme/mocks': '*', jest: '^29.0.0' }, { 'jest.config.js': ready }),
      ...app('apps/other/', { jest: '^29.0.0' }, { 'jest.config.js': config }),
    })
    expect(result.output).not.toContain('Jest finds')
  })

  test('gets a note in package.json if the configuration is there, or if there is none', async () => {
    const dependencies = { '@acme/mocks': '*', jest: '^29.0.0' }
    const result = await migrateFiles({
      ...mocks,
      ...server,
      ...app('apps/none/', dependencies, {}),
      ...app('apps/web/', {}, { 'package.json': JSON.stringify({ dependencies, jest: { testEnvironment: 'node' } }) }),
    })
    expect(result.output).toContain(`apps/none/${note.replace('jest.config.js', 'package.json')}`)
    expect(result.output).toContain(`apps/web/${note.replace('jest.config.js', 'package.json')}`)
  })
})
