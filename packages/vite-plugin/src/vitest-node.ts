export { setUp } from './vitest/set-up-in-node.ts'
