import { relative } from 'node:path'
import { gzipSync } from 'node:zlib'

import { build } from 'esbuild'

/** The sizes of the files that a page loads for some imports, gzipped, in bytes. */
export interface LoadedSize {
  /** The files that are loaded before any code runs. */
  readonly initial: number
  /** With what `worker.start()` loads: the file of that name, the gate, and what watches documents. */
  readonly started: number
  /** Includes all dynamically imported files, without the package `graphql`, which belongs to the app. */
  readonly all: number
}

/** What Understudy loads on every start where there is a service worker. */
const atStart = /(?:^|\/)(?:start-mocking|install-gate|watch-documents)-\w+\.js$/

/**
 * Bundles a module as a production build would: minified, with dynamic imports in separate files.
 *
 * @param source the module's text
 */
export async function measureChunks(source: string): Promise<LoadedSize> {
  const { outputFiles, metafile } = await build({
    stdin: { contents: source, resolveDir: import.meta.dirname, sourcefile: 'entry.js' },
    outdir: 'out',
    bundle: true,
    minify: true,
    splitting: true,
    format: 'esm',
    target: 'es2022',
    external: ['graphql'],
    legalComments: 'none',
    metafile: true,
    write: false,
    logLevel: 'silent',
  })
  const sizes = new Map(
    outputFiles.map(({ path, contents }) => [relative(process.cwd(), path), gzipSync(contents, { level: 9 }).length]),
  )
  const follow = (file: string, files: Set<string>): void => {
    if (files.has(file)) return
    files.add(file)
    for (const { path, kind, external } of metafile.outputs[file]?.imports ?? []) {
      if (kind === 'import-statement' && !external) follow(path, files)
    }
  }
  const entry = Object.entries(metafile.outputs).find(([, { entryPoint }]) => entryPoint?.endsWith('entry.js'))?.[0]
  const initial = new Set<string>()
  follow(entry ?? '', initial)
  const started = new Set<string>(initial)
  const sum = (files: Iterable<string>): number => [...files].reduce((total, file) => total + (sizes.get(file) ?? 0), 0)
  for (const file of Object.keys(metafile.outputs)) if (atStart.test(file)) follow(file, started)
  return { initial: sum(initial), started: sum(started), all: sum(sizes.keys()) }
}
