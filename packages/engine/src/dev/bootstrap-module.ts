import type { AppPages } from '../core/network/document-request.ts'
import type { ResolvedDock, ResolvedOptions } from './options.ts'
import { describeMissingGate } from './script-policy.ts'
import { readGateScript } from './scripts.ts'

/** The parts of the bootstrap module that a plugin provides. */
export interface BootstrapParts {
  options: ResolvedOptions
  /** The handlers module's name in messages. */
  file: string
  /** An expression for the worker's URL: a string literal, or an expression that a bundler replaces with one. */
  workerUrl: string
  /** An expression for the path that the worker controls. `undefined`: the folder of its script. */
  scope: string | undefined
  /** An expression: whether requests are answered in the page if the worker's script is missing. */
  isWorkerOptional?: string
  /** The specifier of the engine's bootstrap entry, if the package name does not resolve. */
  engine?: string
  /** The specifier of the entry that shares a page with panels, if the package name does not resolve. */
  sharing?: string
  /** The specifier of the entry for test runners, if the package name does not resolve. */
  exposing?: string
  /** Statements that declare `showError(error)`, which shows an error in the build tool's way. */
  showError: string
  /** The app's own pages, which handlers do not replace. Default: every path may be one. */
  pages?: AppPages | undefined
  /** Whether panels can see the page. Default: `false`. */
  isShared?: boolean
  /**
   * An expression for the panel's URL. Default: the page has no panel, unless another module sets it ({@link linkPanel}) in the
   * same task.
   */
  panelUrl?: string
  /**
   * Whether messages on the console ask the dev server for the positions in the source, because the positions in pages are those
   * of a bundle. Needs the panel. Default: `false`.
   */
  isBundled?: boolean
  /** Whether the gate is an inline script of the page, which a Content Security Policy may block. Default: `false`. */
  isGateInline?: boolean
  /** A statement that loads the handlers, and calls `mocking.take(module)` or `mocking.fail(error)`. */
  load: string
}

/** Returns the code of the module that a page evaluates first, after the gate. It exports `mocking`. */
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
    isBundled,
    isGateInline,
    load,
  } = parts
  const { onUnhandledRequest, quiet, expose, dock } = options
  const isDocked = isShared && dock !== undefined
  const isLocated = isShared && isBundled
  const worker = [
    `url: ${workerUrl}`,
    ...(scope === undefined ? [] : [`scope: ${scope}`]),
    ...(isWorkerOptional === undefined ? [] : [`isOptional: ${isWorkerOptional}`]),
  ]
  const shared = [...(isDocked ? ['inspect'] : []), ...(isLocated ? ['locatePrinted'] : []), 'sharePage'].join(', ')
  return `import { createMocking } from ${JSON.stringify(engine)}
${isShared ? `import { ${shared} } from ${JSON.stringify(sharing)}` : ''}
${expose ? `import { expose } from ${JSON.stringify(exposing)}` : ''}
${showError}
export const mocking = createMocking({
  file: ${JSON.stringify(file)},
  worker: { ${worker.join(', ')} },
  ...${JSON.stringify({ onUnhandledRequest, quiet, expose, pages })},
  showError,
})
${expose ? 'expose(mocking)' : ''}
${isShared && panelUrl !== undefined ? linkPanel(panelUrl) : ''}
${isLocated ? 'locatePrinted(mocking.worker)' : ''}
${isShared ? share : ''}
${isDocked ? showDock(dock) : ''}
${isGateInline ? reportMissingGate() : ''}
${load}
`
}

/** Several bootstrap modules may run on one page (module federation). Share the page with panels only once. */
const share = `const shared = (globalThis[Symbol.for('understudy')].shared ??= sharePage(mocking.worker, () => mocking.notices))
mocking.started.then(shared.update)`

/**
 * Returns statements that tell the page where its panel is. The panel of another origin does not show the page.
 *
 * @param panelUrl an expression for the panel's URL
 */
export function linkPanel(panelUrl: string): string {
  return `{
  const { origin, href } = new URL(${panelUrl}, location.href)
  if (origin === location.origin) globalThis[Symbol.for('understudy')].panel ??= href
}`
}

/**
 * Shows the panel's button when the page has loaded. Frames and pages without a panel have no button. The page loads the script
 * from the panel, not from the bundler.
 */
function showDock({ isForced, shortcut }: ResolvedDock): string {
  return `{
  const page = globalThis[Symbol.for('understudy')]
  if (window === top${isForced ? '' : ' && !navigator.webdriver'}) {
    const show = () => {
      // Another module may link the panel after this one has run.
      const { panel } = page
      if (!panel || page.isDocked) return
      page.isDocked = true
      import(/* @vite-ignore */ /* webpackIgnore: true */ /* turbopackIgnore: true */ panel + 'dock.js').then(({ showDock }) => {
        const { '~network': network } = mocking.worker
        showDock({
          panel,
          shortcut: ${JSON.stringify(shortcut)},
          readRequests: inspect(mocking.worker).listRequests,
          isRecording: () => network.recording !== undefined,
          onChange(listener) {
            network.decisions.add(listener)
            network.onChange(listener)
          },
        })
      // Ignore the error: mocking works without the button.
      }, () => {})
    }
    if (document.readyState === 'complete') queueMicrotask(show)
    else addEventListener('load', show, { once: true })
  }
}`
}

function reportMissingGate(): string {
  const message = JSON.stringify(`[understudy] ${describeMissingGate(readGateScript())}`)
  return `if (!globalThis[Symbol.for('understudy')]?.gate) console.error(${message})`
}
