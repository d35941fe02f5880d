/** Floods of requests in Firefox. `npm run soak` runs them longer. */
import { afterAll, beforeAll, describe } from 'vitest'

import { findFirefox } from '../find-firefox.ts'
import { checkFloods } from './check-floods.ts'
import { launchFloodFirefox, type FloodBrowser } from './flood-browser.ts'
import { idleWorker } from './scenarios.ts'
import { serveFloods, type FloodServer } from './serve-floods.ts'

const command = findFirefox()

describe.skipIf(command === undefined)('Firefox', () => {
  let browser: FloodBrowser
  let server: FloodServer
  beforeAll(async () => {
    ;[browser, server] = await Promise.all([launchFloodFirefox(), serveFloods()])
  })
  afterAll(() => Promise.all([browser.close(), server.close()]))

  checkFloods(() => ({ browser, server }))
})

describe.skipIf(command === undefined)('Firefox that ends idle workers after a second', () => {
  let browser: FloodBrowser
  let server: FloodServer
  beforeAll(async () => {
    ;[browser, server] = await Promise.all([launchFloodFirefox(true), serveFloods()])
  })
  afterAll(() => Promise.all([browser.close(), server.close()]))

  checkFloods(() => ({ browser, server }), [idleWorker])
})
