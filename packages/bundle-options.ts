import type { BuildOptions } from 'esbuild'

/** The options of bundles that build tools load in Node. Their stacks name the lines of the sources, which are published, too. */
export const forBuildTools = {
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node22',
  sourcemap: true,
  sourcesContent: false,
  legalComments: 'none',
  // esbuild rejects with all errors.
  logLevel: 'silent',
} as const satisfies BuildOptions
