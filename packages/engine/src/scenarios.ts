export * from './core/scenarios/scenarios.ts'
export { withScenarios } from './core/scenarios/with-scenarios.ts'
