import type { ResolvedOptions } from './options.ts'

/** What a plugin puts into the bootstrap module, besides the options. */
export interface BootstrapParts {
  options: ResolvedOptions
  /** How the handlers module is named to people. */
  file: string
  /** An expression of the worker's URL: a string literal, or what a bundler replaces by one. */
  workerUrl: string
  /** An expression of the path that the worker controls, or of `undefined`: the folder of its script. */
  scope: string | undefined
  /** What the engine's bootstrap entry is imported from, where its name does not lead there. */
  engine?: string
  /** Statements that declare `showError(error)`, in the tool's own way. */
  showError: string
  /** Whether panels can see the page. Default: `false`. */
  isShared?: boolean
  /** A statement that loads the handlers, and calls `mocking.take(module)` or `mocking.fail(error)`. */
  load: string
}

/** The text of the module that a page evaluates first, after the gate. It exports `mocking`. */
export function createBootstrapModule(parts: BootstrapParts): string {
  const { options, file, workerUrl, scope, engine = '@understudy/engine/bootstrap', showError, isShared, load } = parts
  const { onUnhandledRequest, quiet, expose } = options
  return `import { createMocking } from ${JSON.stringify(engine)}
${isShared ? "import { sharePage } from '@understudy/engine/inspect'" : ''}
${showError}
export const mocking = createMocking({
  file: ${JSON.stringify(file)},
  worker: { url: ${workerUrl}${scope === undefined ? '' : `, scope: ${scope}`} },
  ...${JSON.stringify({ onUnhandledRequest, quiet, expose })},
  showError,
})
${isShared ? share : ''}
${load}
`
}

const share = `const shared = sharePage(mocking.worker, () => mocking.notices)
mocking.started.then(shared.update)`
