import { build } from 'esbuild'

import { forBuildTools } from '../bundle-options.ts'
import { bundleVersionCheck } from './bundle-version-check.ts'

/**
 * Bundles the entry that the plugins of build tools import into one file. It contains none of the engine: a build tool
 * loads it before its server starts, and the files that pages and Node share would take longer than all else of a plugin.
 *
 * @param define what the build replaces
 */
export async function bundleForBuildTools(define: Record<string, string>): Promise<void> {
  await build({
    ...forBuildTools,
    absWorkingDir: import.meta.dirname,
    entryPoints: ['src/internal-dev.ts'],
    outfile: 'dist/internal-dev.js',
    // A plugin that is loaded is not always asked for its options, which checks the version, too.
    banner: { js: await bundleVersionCheck() },
    define,
  })
}
