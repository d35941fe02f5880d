/** The exports of `msw/native`, which report that React Native is not supported. */

/**
 * Reports that Understudy has no entry for React Native.
 *
 * @throws always
 */
export function setupServer(): never {
  throw new Error(
    'Failed to set up a server: Understudy does not run in React Native. ' +
      'Keep MSW there, or run these tests in Node and import from "msw/node". (US1006)',
  )
}
