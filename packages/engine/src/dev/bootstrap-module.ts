import type { AppPages } from '../core/network/document-request.ts'
import type { ResolvedOptions } from './options.ts'
import { describeMissingGate } from './script-policy.ts'
import { readGateScript } from './scripts.ts'

/** What a plugin puts into the bootstrap module, besides the options. */
export interface BootstrapParts {
  options: ResolvedOptions
  /** How the handlers module is named to people. */
  file: string
  /** An expression of the worker's URL: a string literal, or what a bundler replaces by one. */
  workerUrl: string
  /** An expression of the path that the worker controls, or of `undefined`: the folder of its script. */
  scope: string | undefined
  /** An expression: whether requests are answered in the page itself, where the worker's script is not there. */
  isWorkerOptional?: string
  /** What the engine's bootstrap entry is imported from, where its name does not lead there. */
  engine?: string
  /** What its entry for inspection is imported from, likewise. */
  inspect?: string
  /** Statements that declare `showError(error)`, in the tool's own way. */
  showError: string
  /** The app's own pages, which handlers do not replace. Default: every path may be one. */
  pages?: AppPages | undefined
  /** Whether panels can see the page. Default: `false`. */
  isShared?: boolean
  /** Whether the page has the gate as a script that stands in it, which a policy may block. Default: `false`. */
  isGateInline?: boolean
  /** A statement that loads the handlers, and calls `mocking.take(module)` or `mocking.fail(error)`. */
  load: string
}

/** The text of the module that a page evaluates first, after the gate. It exports `mocking`. */
export function createBootstrapModule(parts: BootstrapParts): string {
  const {
    options,
    file,
    workerUrl,
    scope,
    isWorkerOptional,
    engine = '@understudy/engine/bootstrap',
    inspect = '@understudy/engine/inspect',
    showError,
    pages,
    isShared,
    isGateInline,
    load,
  } = parts
  const { onUnhandledRequest, quiet, expose } = options
  const worker = [
    `url: ${workerUrl}`,
    ...(scope === undefined ? [] : [`scope: ${scope}`]),
    ...(isWorkerOptional === undefined ? [] : [`isOptional: ${isWorkerOptional}`]),
  ]
  return `import { createMocking } from ${JSON.stringify(engine)}
${isShared ? `import { sharePage } from ${JSON.stringify(inspect)}` : ''}
${showError}
export const mocking = createMocking({
  file: ${JSON.stringify(file)},
  worker: { ${worker.join(', ')} },
  ...${JSON.stringify({ onUnhandledRequest, quiet, expose, pages })},
  showError,
})
${isShared ? share : ''}
${isGateInline ? reportMissingGate() : ''}
${load}
`
}

/** Several bootstrap modules may share a page (module federation): it is one page to panels. */
const share = `const shared = (globalThis[Symbol.for('understudy')].shared ??= sharePage(mocking.worker, () => mocking.notices))
mocking.started.then(shared.update)`

function reportMissingGate(): string {
  const message = JSON.stringify(`[understudy] ${describeMissingGate(readGateScript())}`)
  return `if (!globalThis[Symbol.for('understudy')]?.gate) console.error(${message})`
}
