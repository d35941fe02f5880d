import { expect, test } from 'vitest'

import { createHandlersModule } from './handlers-module.ts'

test.each([
  ['/app/src/mocks/handlers.ts', '/@fs/app/src/mocks/handlers.ts?t='],
  ['C:/app/src/mocks/handlers.ts', '/@fs/C:/app/src/mocks/handlers.ts?t='],
])('a module that threw is loaded again from its URL on the dev server: %s', (path, url) => {
  const text = createHandlersModule({ path, name: 'src/mocks/handlers.ts' })
  expect(text).toContain(`import(/* @vite-ignore */ ${JSON.stringify(url)} + Date.now())`)
})

test('a project without handlers has a module, too', () => {
  expect(createHandlersModule(undefined)).toBe('export async function connect() {}')
})
