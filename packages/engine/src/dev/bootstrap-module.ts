import type { AppPages } from '../core/network/document-request.ts'
import type { ResolvedDock, ResolvedOptions } from './options.ts'
import { describeMissingGate } from './script-policy.ts'
import { readGateScript } from './scripts.ts'

/** What a plugin puts into the bootstrap module. */
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
  /** What its entry that shares a page with panels is imported from, likewise. */
  sharing?: string
  /** What its entry for test runners is imported from, likewise. */
  exposing?: string
  /** Statements that declare `showError(error)`, in the tool's own way. */
  showError: string
  /** The app's own pages, which handlers do not replace. Default: every path may be one. */
  pages?: AppPages | undefined
  /** Whether panels can see the page. Default: `false`. */
  isShared?: boolean
  /** An expression of the panel's URL. Default: the page does not show the panel. */
  panelUrl?: string
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
    engine = '@understudy/engine/internal/page',
    sharing = '@understudy/engine/internal/share',
    exposing = '@understudy/engine/internal/expose',
    showError,
    pages,
    isShared,
    panelUrl,
    isGateInline,
    load,
  } = parts
  const { onUnhandledRequest, quiet, expose, dock } = options
  const isDocked = isShared && dock !== undefined && panelUrl !== undefined
  const worker = [
    `url: ${workerUrl}`,
    ...(scope === undefined ? [] : [`scope: ${scope}`]),
    ...(isWorkerOptional === undefined ? [] : [`isOptional: ${isWorkerOptional}`]),
  ]
  return `import { createMocking } from ${JSON.stringify(engine)}
${isShared ? `import { ${isDocked ? 'inspect, ' : ''}sharePage } from ${JSON.stringify(sharing)}` : ''}
${expose ? `import { expose } from ${JSON.stringify(exposing)}` : ''}
${showError}
export const mocking = createMocking({
  file: ${JSON.stringify(file)},
  worker: { ${worker.join(', ')} },
  ...${JSON.stringify({ onUnhandledRequest, quiet, expose, pages })},
  showError,
})
${expose ? 'expose(mocking)' : ''}
${isShared ? share : ''}
${isDocked ? showDock(dock, panelUrl) : ''}
${isGateInline ? reportMissingGate() : ''}
${load}
`
}

/** Several bootstrap modules may share a page (module federation): it is one page to panels. */
const share = `const shared = (globalThis[Symbol.for('understudy')].shared ??= sharePage(mocking.worker, () => mocking.notices))
mocking.started.then(shared.update)`

/**
 * Shows the panel's button when the page has loaded. Frames show none, and no page of another origin than the panel's. The
 * script is not the bundler's: it comes from the panel.
 */
function showDock({ isForced, shortcut }: ResolvedDock, panelUrl: string): string {
  return `{
  const page = globalThis[Symbol.for('understudy')]
  const { origin, href } = new URL(${panelUrl}, location.href)
  if (!page.isDocked && window === top && origin === location.origin${isForced ? '' : ' && !navigator.webdriver'}) {
    page.isDocked = true
    const show = () => import(/* @vite-ignore */ /* webpackIgnore: true */ /* turbopackIgnore: true */ href + 'dock.js').then(({ showDock }) => {
      const { '~network': network } = mocking.worker
      showDock({
        panel: href,
        shortcut: ${JSON.stringify(shortcut)},
        readRequests: inspect(mocking.worker).listRequests,
        onDecision: (listener) => network.decisions.add(listener),
      })
    // The page is mocked without a button, too.
    }, () => {})
    if (document.readyState === 'complete') show()
    else addEventListener('load', show, { once: true })
  }
}`
}

function reportMissingGate(): string {
  const message = JSON.stringify(`[understudy] ${describeMissingGate(readGateScript())}`)
  return `if (!globalThis[Symbol.for('understudy')]?.gate) console.error(${message})`
}
