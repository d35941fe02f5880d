/** The annotations that Storybook takes from the addon by itself. */
export { afterEach, argTypesEnhancers, beforeAll, beforeEach, initialGlobals, loaders } from './preview/annotations.ts'
