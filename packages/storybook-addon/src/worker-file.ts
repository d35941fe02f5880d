/**
 * The service worker's file, under the root of the Storybook. Nobody's own file has this name, and another version's
 * worker, left by an earlier visit, has another.
 */
export const workerFile = 'understudy-storybook-worker-0.1.0.js'
