export { setUp } from './vitest/set-up-in-browser.ts'
