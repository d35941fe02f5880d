import { fileURLToPath } from 'node:url'

/** A folder, and the path at which Storybook serves it. */
export type StaticDir = string | { from: string; to: string }

/** Serves the service worker in development, in builds and in test runs. The folder contains no other files. */
export const staticDirs = (before: readonly StaticDir[] = []): StaticDir[] => [
  ...before,
  { from: fileURLToPath(new URL('../../dist/worker', import.meta.url)), to: '/' },
]
