export * from './core/scenarios/scenarios.ts'
export { withScenarios } from './core/network/with-scenarios.ts'
