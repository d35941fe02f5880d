import { expect, test } from 'vitest'

import { createHandlersModule } from './handlers-module.ts'

test.each([
  ['/app/src/mocks/handlers.ts', '/@fs/app/src/mocks/handlers.ts?t='],
  ['C:/app/src/mocks/handlers.ts', '/@fs/C:/app/src/mocks/handlers.ts?t='],
])('a module that threw is loaded again from its URL on the dev server: %s', (path, url) => {
  const text = createHandlersModule({ file: { path, name: 'src/mocks/handlers.ts' } })
  expect(text).toContain(`import(/* @vite-ignore */ ${JSON.stringify(url)} + Date.now())`)
})

test('a project without handlers has a module, too', () => {
  const text = createHandlersModule({})
  expect(text).toContain('export async function connect(')
  expect(text).not.toContain('fail(')
})

test('a build does not watch for a handlers file', () => {
  const missing = { name: 'src/mocks/handlers.ts', reason: 'The file does not exist.' }
  expect(createHandlersModule({ missing })).not.toContain('import.meta.hot')
  expect(createHandlersModule({ missing }, true)).toContain('import.meta.hot')
})
