import { expect, test } from 'vitest'

import { migrateFiles } from './testing/migrate-files.ts'

const main = `export default {\n  addons: ['msw-storybook-addon'],\n}\n`
const handlers = `import { http } from 'msw'\nexport const handlers = [http.get('/', () => undefined)]\n`
const preview = (from: string): string => `import { initialize, mswLoader } from 'msw-storybook-addon'
import { handlers } from '${from}'

initialize({ onUnhandledRequest: 'bypass' }, handlers)

export default { loaders: [mswLoader] }
`

test('handlers of initialize() that the addon finds need no option, and their import goes', async () => {
  const { files, output } = await migrateFiles({
    '.storybook/main.ts': main,
    '.storybook/preview.ts': preview('../src/mocks/handlers'),
    'src/mocks/handlers.ts': handlers,
  })
  expect(files['.storybook/main.ts']).toContain(
    `addons: [{ name: '@understudy/storybook-addon', options: { onUnhandledRequest: 'bypass' } }]`,
  )
  expect(files['.storybook/preview.ts']).toBe('export default { }\n')
  expect(output).not.toContain('initialize()')
})

test.each([', handlers)', ', [...handlers])'])('handlers elsewhere are named to the addon: %s', async (given) => {
  const { files } = await migrateFiles({
    '.storybook/main.ts': main,
    '.storybook/preview.ts': preview('../test/api').replace(', handlers)', given),
    'test/api/index.ts': handlers,
  })
  expect(files['.storybook/main.ts']).toContain(
    `options: { onUnhandledRequest: 'bypass', handlers: 'test/api/index.ts' }`,
  )
})

test('an import that other code uses stays', async () => {
  const { files } = await migrateFiles({
    '.storybook/main.ts': main,
    '.storybook/preview.ts': `${preview('../src/mocks/handlers')}export const parameters = { msw: { handlers } }\n`,
    'src/mocks/handlers.ts': handlers,
  })
  expect(files['.storybook/preview.ts']).toContain(`import { handlers } from '../src/mocks/handlers'`)
})

test('other handlers of initialize() get a note', async () => {
  const { output } = await migrateFiles({
    '.storybook/main.ts': main,
    '.storybook/preview.ts': preview('../src/mocks/handlers').replace(', handlers)', ', [...handlers, ...more])'),
    'src/mocks/handlers.ts': handlers,
  })
  expect(output).toContain(
    'initialize() had handlers of the project. Export them from src/mocks/handlers:\n    [...handlers, ...more]',
  )
})

test('options are kept where a function resolves the name of the addon', async () => {
  const { files } = await migrateFiles({
    '.storybook/main.ts': `export default {\n  addons: [getAbsolutePath('@storybook/addon-docs'), getAbsolutePath('msw-storybook-addon')],\n}\n`,
    '.storybook/preview.ts': `import { initialize } from 'msw-storybook-addon'\ninitialize({ onUnhandledRequest: 'bypass' })\n`,
  })
  expect(files['.storybook/main.ts']).toContain(
    `[getAbsolutePath('@storybook/addon-docs'), { name: getAbsolutePath('@understudy/storybook-addon'), options: { onUnhandledRequest: 'bypass' } }]`,
  )
})

test('a call that resolves the name of the addon stays without options', async () => {
  const { files } = await migrateFiles({
    '.storybook/main.ts': `export default { addons: [getAbsolutePath('msw-storybook-addon')] }\n`,
    '.storybook/preview.ts': `import { initialize } from 'msw-storybook-addon'\ninitialize()\n`,
  })
  expect(files['.storybook/main.ts']).toBe(
    `export default { addons: [getAbsolutePath('@understudy/storybook-addon')] }\n`,
  )
})

test.each([
  ['const meta = { component: Posts, loaders: [mswLoader] }', 'const meta = { component: Posts }'],
  ['const meta = { loaders: [mswLoader], component: Posts }', 'const meta = { component: Posts }'],
  ['const meta = {\n  a: 1,\n  loaders: [mswLoader]\n}', 'const meta = {\n  a: 1,\n}'],
])('a loader of a component: %s', async (before, after) => {
  const { files } = await migrateFiles({
    '.storybook/main.ts': main,
    'src/a.stories.ts': `import { mswLoader } from 'msw-storybook-addon'\n${before}\n`,
  })
  expect(files['src/a.stories.ts']).toBe(`${after}\n`)
})

test('a worker that only initialize() named is not noted', async () => {
  const { output } = await migrateFiles({
    '.storybook/main.ts': main,
    '.storybook/preview.ts': `import { initialize } from 'msw-storybook-addon'\ninitialize({ serviceWorker: { url: './mockServiceWorker.js' } })\n`,
    'public/mockServiceWorker.js': '',
  })
  expect(output).not.toContain('This file names mockServiceWorker.js')
})
