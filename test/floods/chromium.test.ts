/** Floods of requests in Chromium. `npm run soak` runs them longer. */
import { afterAll, beforeAll, describe } from 'vitest'

import { checkFloods } from './check-floods.ts'
import { launchFloodChromium, type FloodBrowser } from './flood-browser.ts'
import { serveFloods, type FloodServer } from './serve-floods.ts'

describe('Chromium', () => {
  let browser: FloodBrowser
  let server: FloodServer
  beforeAll(async () => {
    ;[browser, server] = await Promise.all([launchFloodChromium(), serveFloods()])
  })
  afterAll(() => Promise.all([browser.close(), server.close()]))

  checkFloods(() => ({ browser, server }))
})
