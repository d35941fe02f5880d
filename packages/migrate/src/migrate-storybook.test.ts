import { describe, expect, test } from 'vitest'

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

test('an import goes if only a property has its name', async () => {
  const { files } = await migrateFiles({
    '.storybook/main.ts': main,
    '.storybook/preview.ts': `${preview('../src/mocks/handlers')}export const parameters = { msw: { handlers: [] } }\n`,
    'src/mocks/handlers.ts': handlers,
  })
  expect(files['.storybook/preview.ts']).not.toContain('import')
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

describe('msw-storybook-addon 3', () => {
  const migratePreview = async (loader: string): Promise<{ text: string; configuration: string; output: string }> => {
    const { files, output } = await migrateFiles({
      '.storybook/main.ts': main,
      '.storybook/preview.ts': `import { setupWorker } from 'msw/browser'
import { mswLoader } from 'msw-storybook-addon/csf3'
import { handlers } from '../src/mocks/handlers'

export default {
  loaders: [${loader}],
  parameters: { msw: [] },
}
`,
      'src/mocks/handlers.ts': handlers,
    })
    return { text: files['.storybook/preview.ts'] ?? '', configuration: files['.storybook/main.ts'] ?? '', output }
  }

  test('mswLoader() goes, with its worker', async () => {
    const { text, configuration, output } = await migratePreview(`mswLoader(async () => {
    const worker = setupWorker(...handlers)
    await worker.start({ onUnhandledRequest: 'bypass' })
    return worker
  })`)
    expect(text).toBe('export default {\n  parameters: { msw: [] },\n}\n')
    expect(configuration).toContain(`options: { onUnhandledRequest: 'bypass' }`)
    expect(output).not.toContain('preview.ts:')
    expect(output).not.toContain('had a worker')
  })

  test('mswLoader() without an argument goes', async () => {
    const { text } = await migratePreview('mswLoader()')
    expect(text).toContain('export default {\n  parameters: { msw: [] },\n}\n')
    expect(text).not.toContain('msw-storybook-addon')
  })

  test.each([
    'mswLoader(() => setupWorker(...handlers, ...more))',
    'mswLoader(() => setupWorker(first, second))',
    'mswLoader(createWorker)',
    'mswLoader(async () => { await fillDatabase(); return setupWorker(...handlers) })',
  ])('other workers get a note: %s', async (loader) => {
    const { text, output } = await migratePreview(loader)
    expect(text).toContain('export default {\n  parameters: { msw: [] },\n}\n')
    expect(output).toContain('mswLoader() had a worker. Export its handlers from src/mocks/handlers.')
  })

  test('the names of the types and of the annotations change', async () => {
    const { files, output } = await migrateFiles({
      '.storybook/main.ts': main,
      '.storybook/vitest.setup.ts': `import { setProjectAnnotations } from '@storybook/react-vite'
import mswAnnotations from 'msw-storybook-addon/preview'
import * as preview from './preview'
setProjectAnnotations([mswAnnotations, preview])
`,
      '.storybook/preview.ts': `import 'msw-storybook-addon/types'\nexport default {}\n`,
      'src/types.d.ts': `/// <reference types="msw-storybook-addon/csf3" />\n`,
      'tsconfig.app.json': `{ "compilerOptions": { "types": ["vite/client", "msw-storybook-addon/csf3"] } }\n`,
    })
    expect(files['.storybook/vitest.setup.ts']).toBe(`import { setProjectAnnotations } from '@storybook/react-vite'
import * as mswAnnotations from '@understudy/storybook-addon/preview'
import * as preview from './preview'
setProjectAnnotations([mswAnnotations, preview])
`)
    expect(files['.storybook/preview.ts']).toBe(`import '@understudy/storybook-addon/types'\nexport default {}\n`)
    expect(files['src/types.d.ts']).toBe(`/// <reference types="@understudy/storybook-addon/types" />\n`)
    expect(files['tsconfig.app.json']).toContain('["vite/client", "@understudy/storybook-addon/types"]')
    expect(output).not.toContain('msw-storybook-addon')
  })

  test('a remaining name of an entry gets a note', async () => {
    const { output } = await migrateFiles({
      '.storybook/main.ts': main,
      'src/a.ts': `import type { MswApi } from 'msw-storybook-addon/types'\nexport type Api = MswApi\n`,
    })
    expect(output).toContain(`This file still names 'msw-storybook-addon/types'.`)
  })
})
