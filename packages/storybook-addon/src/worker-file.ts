/**
 * The service worker's file, under the root of the Storybook. The name is unique, so it never collides with a user's
 * file, nor with a worker of another version that an earlier visit left.
 */
export const workerFile = 'understudy-storybook-worker-0.1.0.js'
