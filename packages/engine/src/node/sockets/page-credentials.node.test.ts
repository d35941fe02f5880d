import { afterEach, expect, test, vi } from 'vitest'

import { http, HttpResponse } from '../../index.ts'
import { setupServer } from '../setup-server.ts'

const server = setupServer(http.get('http://api.example/user', () => HttpResponse.text('Ada')))

afterEach(() => {
  server.close()
  vi.unstubAllGlobals()
})

// Vitest's environment `edge-runtime` defines globals of a page without a value. Tests stub the global to disable it.
test.each([undefined, null, 'none', {}])('listens where the global XMLHttpRequest is %s', async (value) => {
  vi.stubGlobal('XMLHttpRequest', value)
  server.listen()
  expect(await (await fetch('http://api.example/user')).text()).toBe('Ada')
  expect(globalThis.XMLHttpRequest).toBe(value)
})
