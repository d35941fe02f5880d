import { after, afterEach, before } from 'node:test'

import { setupServer } from 'msw/node'

import { handlers, resetStations } from './handlers.ts'

export const server = setupServer(...handlers)

before(() => server.listen({ onUnhandledRequest: 'error' }))
afterEach(() => {
  server.resetHandlers()
  server.events.removeAllListeners()
  resetStations()
})
after(() => server.close())
