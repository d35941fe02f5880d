/** The annotations that Storybook loads from the addon automatically. */
export { afterEach, argTypesEnhancers, beforeAll, beforeEach, initialGlobals, loaders } from './preview/annotations.ts'
