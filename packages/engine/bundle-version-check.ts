import { build } from 'esbuild'

import manifest from './package.json' with { type: 'json' }

/**
 * Bundles a statement, on one line, that throws on versions of Node that lack what the engine uses. It has to be the first that
 * runs: modules fail to load there, each with another message.
 */
export async function bundleVersionCheck(): Promise<string> {
  const { outputFiles } = await build({
    stdin: {
      contents: `import { checkNodeVersion } from './src/dev/check-node-version.ts'
        checkNodeVersion('load ${manifest.name}')`,
      resolveDir: import.meta.dirname,
      loader: 'ts',
    },
    bundle: true,
    format: 'iife',
    minify: true,
    write: false,
    logLevel: 'silent',
  })
  const [file] = outputFiles
  if (!file) throw new Error('Failed to bundle the check of the version: esbuild wrote nothing. Look at its source.')
  return file.text.trim()
}
