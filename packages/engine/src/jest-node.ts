import { extendEnvironment, type JestEnvironmentClass } from './jest/environment.ts'

/**
 * The environment `node` of Jest 30, in which the engine can be imported without transforms and flags.
 *
 * @example
 * // jest.config.js
 * module.exports = { testEnvironment: '@understudy/engine/jest-node' }
 */
const environment: JestEnvironmentClass = extendEnvironment('jest-environment-node')
export default environment
