import { afterAll, afterEach, beforeAll, inject } from 'vitest'

import { setupServer } from '../node/setup-server.ts'
import { checkClients } from './testing/check-clients.ts'

const server = setupServer()
beforeAll(() => server.listen({ onUnhandledRequest: 'bypass' }))
afterEach(() => server.resetHandlers())
afterAll(() => server.close())

checkClients(inject('upstream'), (...handlers) => server.use(...handlers))
