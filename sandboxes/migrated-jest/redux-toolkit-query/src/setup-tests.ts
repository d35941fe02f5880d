import '@testing-library/jest-dom'
import { resetBooks } from './mocks/handlers'
import { server } from './mocks/server'

beforeAll(() => server.listen({ onUnhandledRequest: 'error' }))
afterEach(() => {
  server.resetHandlers()
  server.events.removeAllListeners()
  resetBooks()
})
afterAll(() => server.close())
