/** Floods of requests in Node. `npm run soak` runs them longer. */
import { afterAll, beforeAll, expect, test } from 'vitest'

import { floodNode, nodeFloods } from './node-floods.ts'
import { serveFloods, type FloodServer } from './serve-floods.ts'

let server: FloodServer
beforeAll(async () => {
  server = await serveFloods()
})
afterAll(() => server.close())

test.for(nodeFloods)('$name', { retry: 0 }, async ({ load, short }) => {
  server.forget()
  const { answered, reasons, made, ...faults } = await floodNode(load, server, short)
  expect({ ...faults, escaped: server.escaped.slice(0, 10) }, reasons.join('\n')).toEqual({
    lost: 0,
    broken: 0,
    crossed: 0,
    escaped: [],
  })
  expect(answered).toBe(made)
  expect(made).toBeGreaterThan(0)
})
