import '@testing-library/jest-dom'
import { resetBeds } from './mocks/handlers'
import { server } from './mocks/server'

beforeAll(() => server.listen({ onUnhandledRequest: 'error' }))
afterEach(() => {
  server.resetHandlers()
  server.events.removeAllListeners()
  resetBeds()
})
afterAll(() => server.close())
