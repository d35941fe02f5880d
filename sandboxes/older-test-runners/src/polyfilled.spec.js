/** Tests a setup file of the project that replaced Fetch before the engine was loaded. */
import {
  fetch as pageFetch,
  Headers as PageHeaders,
  Request as PageRequest,
  Response as PageResponse,
} from 'whatwg-fetch'

const native = { fetch, Headers, Request, Response }

beforeAll(() => {
  Object.assign(globalThis, { fetch: pageFetch, Headers: PageHeaders, Request: PageRequest, Response: PageResponse })
})
afterAll(() => Object.assign(globalThis, native))

test('the server says that it cannot start', async () => {
  const { setupServer } = await import('@understudy/engine/node')
  expect(() => setupServer().listen()).toThrow('a polyfill (whatwg-fetch, node-fetch, …) replaced the global Request')
})
