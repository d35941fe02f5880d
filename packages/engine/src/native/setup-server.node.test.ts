import { expect, test } from 'vitest'

import { http } from '../http/http.ts'
import { setupServer } from './setup-server.ts'

test('listen() throws where the runtime is not React Native, and changes nothing', () => {
  const { fetch } = globalThis
  const server = setupServer(http.get('https://example.com/', () => undefined))
  expect(() => server.listen()).toThrow(expect.objectContaining({ code: 'US1101' }))
  expect(server.readyState).toBe(0)
  expect(globalThis.fetch).toBe(fetch)
  server.close()
  expect(globalThis.fetch).toBe(fetch)
})

test('options are checked', () => {
  expect(() => setupServer().listen(null as never)).toThrow(expect.objectContaining({ code: 'US0102' }))
  expect(() => setupServer().listen({ onUnhandledRequest: 'never' as never })).toThrow(/never/)
})
