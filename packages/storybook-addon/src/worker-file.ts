/**
 * The service worker's file, relative to the root of the Storybook. The name is unique, so it does not collide with a
 * file of the user, or with a worker of another version from an earlier visit.
 */
export const workerFile = 'understudy-storybook-worker-0.1.0.js'
