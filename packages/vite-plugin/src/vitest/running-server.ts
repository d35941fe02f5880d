import { toFailure } from './failure.ts'
import { getRunningServer, type TestServer } from './test-server.ts'

/**
 * The mocked network of the tests. The plugin starts it before each test file, and resets it after each test.
 *
 * @throws {Error} if no test runs, or the plugin is not in Vitest's configuration
 * @example
 * test('shows an error', async () => {
 *   server.use(http.get('/api/user', () => new HttpResponse(null, { status: 500 })))
 *   // no other test sees this handler
 * })
 */
export const server: TestServer = {
  use: (...handlers) => running().use(...handlers),
  resetHandlers: (...handlers) => running().resetHandlers(...handlers),
  restoreHandlers: () => running().restoreHandlers(),
  listHandlers: () => running().listHandlers(),
  printHandlers: () => running().printHandlers(),
  scenario: (...names) => running().scenario(...names),
  boundary: (callback) => running().boundary(callback),
  requests: () => running().requests(),
  get events() {
    return running().events
  },
  get cookies() {
    return running().cookies
  },
  get '~network'() {
    return running()['~network']
  },
}

function running(): TestServer {
  const found = getRunningServer()
  if (found) return found
  throw toFailure(
    'US0827',
    'reach the mocked network: no test runs here, or understudy() is not among the plugins of this Vitest project. ' +
      'Add it, and use `server` in tests and their setup files. ' +
      'In a story, the Storybook addon answers instead: use `parameters.handlers` and `context.understudy`.',
  )
}
