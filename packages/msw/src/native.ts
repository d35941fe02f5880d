/** The exports of `msw/native`, which report that React Native is not supported. */
import type { setupServer as setupServerInNode } from '@understudy/engine/node'

/**
 * Reports that Understudy has no entry for React Native. The type is the same as in MSW: generators of handlers write a
 * file for React Native, which compiles in every project.
 *
 * @throws always
 */
export const setupServer: typeof setupServerInNode = () => {
  throw new Error(
    'Failed to set up a server: Understudy does not run in React Native. ' +
      'Keep MSW there, or run these tests in Node and import from "msw/node". (US1006)',
  )
}
