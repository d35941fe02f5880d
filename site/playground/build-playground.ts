import { mkdir, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'

import { build, type BuildOptions } from 'esbuild'

const folder = import.meta.dirname
const repository = resolve(folder, '../..')

// The site's search uses another copy of Preact.
const preact = dirname(createRequire(join(repository, 'package.json')).resolve('preact/package.json'))

/**
 * Bundles the playground from the sources of the packages into files for any static host.
 *
 * @param outDir the folder of the files: `app.js` for the site's page, and `frame.html` where handlers run
 */
export async function buildPlayground(outDir: string): Promise<void> {
  await rm(outDir, { recursive: true, force: true })
  await mkdir(outDir, { recursive: true })
  const shared = {
    absWorkingDir: folder,
    bundle: true,
    platform: 'browser',
    target: 'es2022',
    conditions: ['@understudy/source'],
    // Of the sources, for the version of esbuild that VitePress brings.
    tsconfigRaw: { compilerOptions: { target: 'es2022', jsx: 'react', verbatimModuleSyntax: true } },
    external: ['graphql'],
    minify: true,
    legalComments: 'none',
    logLevel: 'warning',
    logOverride: { 'tsconfig.json': 'silent' },
  } satisfies BuildOptions
  await Promise.all([
    build({
      ...shared,
      entryPoints: ['app.ts'],
      outfile: join(outDir, 'app.js'),
      format: 'esm',
      alias: {
        react: join(preact, 'compat'),
        'react-dom/client': join(preact, 'compat/client'),
      },
    }),
    // Build a classic script: a frame with an opaque origin cannot load modules of a host without CORS headers.
    build({ ...shared, entryPoints: ['frame.ts'], outfile: join(outDir, 'frame.js'), format: 'iife', keepNames: true }),
    writeFile(
      join(outDir, 'frame.html'),
      '<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n<title>The mocked page</title>\n<script src="frame.js"></script>\n</html>\n',
    ),
  ])
}
