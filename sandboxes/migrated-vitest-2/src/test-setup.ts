import '@testing-library/jest-dom/vitest'
import { cleanup } from '@testing-library/react'
import { afterAll, afterEach, beforeAll } from 'vitest'

import { signInWith } from './api/client'
import { resetRepairs } from './mocks/repairs-store'
import { server } from './mocks/server'

beforeAll(() => server.listen({ onUnhandledRequest: 'error' }))
afterEach(() => {
  cleanup()
  server.resetHandlers()
  server.events.removeAllListeners()
  resetRepairs()
  signInWith(undefined)
})
afterAll(() => server.close())
