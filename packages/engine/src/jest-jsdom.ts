import { bringFetch } from './jest/bring-fetch.ts'
import { extendEnvironment, type JestEnvironmentClass } from './jest/environment.ts'

/**
 * The environment `jsdom` of Jest 30 (`jest-environment-jsdom`), in which the engine can be imported without transforms
 * and flags. It adds the parts of Fetch that jsdom lacks: `fetch`, `Request`, `Response`, streams, `TextEncoder` and
 * others.
 *
 * @example
 * // jest.config.js
 * module.exports = { testEnvironment: '@understudy/engine/jest-jsdom' }
 */
const environment: JestEnvironmentClass = class extends extendEnvironment('jest-environment-jsdom') {
  constructor(config: object, context: object) {
    super(config, context)
    bringFetch(this.global)
  }
}
export default environment
