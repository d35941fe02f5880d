import {
  createBootstrapModule,
  describeMissingGate,
  linkPanel,
  readGateScript,
  type AppPages,
  type HandlersFile,
  type ResolvedOptions,
} from '@understudy/engine/internal/dev'

import type { Tool } from '../project.ts'

/** Returns the code of the gate with the addresses of the dev server's own connections. */
export function createGateScript(neverHeld: readonly string[]): string {
  return `(globalThis[Symbol.for('understudy')] ??= {}).neverHeld ??= ${JSON.stringify(neverHeld)};
${readGateScript()}`
}

/**
 * Creates the module that every entry evaluates first. Entries may run without a page, and several may run on one page,
 * each with its own runtime. The first one loads the handlers.
 *
 * @param key identifies the handlers among all handlers of a page
 * @param bootstrap the request for the bootstrap module
 */
export function createStartModule(neverHeld: readonly string[], key: string, bootstrap: string): string {
  const gate = createGateScript(neverHeld)
  // If the script is in the page but has not run, a policy that the plugin does not see has blocked it.
  return `if (typeof document === 'object' && !globalThis[Symbol.for('understudy')]?.gate) {
  if (document.querySelector('script[data-understudy]')) console.error(${JSON.stringify(`[understudy] ${describeMissingGate(gate)}`)})
}
${gate}
if (typeof document === 'object') {
  const page = globalThis[Symbol.for('understudy')]
  const started = (page.started ??= new Set())
  if (!started.has(${JSON.stringify(key)})) {
    started.add(${JSON.stringify(key)})
    require(${JSON.stringify(bootstrap)})
  }
}
`
}

/** The name of errors that Rsbuild's dev server shows in its overlay. */
export const overlayErrorName = 'UnderstudyError'

export interface PageModule {
  options: ResolvedOptions
  /** Whether panels can see the page. */
  isShared: boolean
  /** The file of the engine's bootstrap entry. */
  engine: string
  /** The file of its entry that shares a page with panels. */
  sharing: string
  /** The file of its entry for test runners. */
  exposing: string
  /** The app's own pages, which handlers do not replace. */
  pages: AppPages
  /** How to report an error to the tool's overlay. */
  overlay: Tool['overlay']
  /** Whether the page has a panel only if {@link createPanelModule} runs. */
  linksPanelLater: boolean
}

const panelUrl = "new URL(__webpack_public_path__ + '__understudy/', document.baseURI)"

/** Returns the panel's URL for a bootstrap module. */
const linkOf = ({ linksPanelLater }: PageModule): { panelUrl?: string } => (linksPanelLater ? {} : { panelUrl })

/** Creates the module of an entry that links the panel, because a dev server serves it. */
export const createPanelModule = (): string => `if (typeof document === 'object') ${linkPanel(panelUrl)}\n`

/**
 * The bootstrap module.
 *
 * @param handlers the request for the module that loads the handlers
 */
export function createBootstrap(page: PageModule, file: HandlersFile, handlers: string): string {
  return createBootstrapModule({
    ...page,
    ...linkOf(page),
    isBundled: true,
    file: file.name,
    workerUrl: 'workerUrl.href',
    scope: 'scope',
    isWorkerOptional: 'isElsewhere',
    showError: `import load from ${JSON.stringify(handlers)}\n${findWorker(page.options)}\n${page.overlay === 'frame' ? showInOverlay : showByEvents}`,
    load: `load(async (module) => {
  if (await mocking.take(module)) hideError()
}, mocking.fail)`,
  })
}

/** Creates a bootstrap module that only shows an error. Requests stay held. The compiler shows the same error. */
export function createBrokenBootstrap(page: PageModule, message: string): string {
  return createBootstrapModule({
    ...page,
    ...linkOf(page),
    file: 'the handlers module',
    workerUrl: '""',
    scope: undefined,
    showError: 'function showError() {}',
    load: `mocking.fail(Object.assign(new Error(${JSON.stringify(message)}), { name: 'UnderstudyError' }))`,
  })
}

/**
 * Creates the module that loads the handlers: `load(take, fail)`. It is a CommonJS module, because only CommonJS can
 * catch errors of the handlers module, and get hot updates of a module that has never loaded.
 */
export function createHandlersModule({ path }: HandlersFile): string {
  const request = JSON.stringify(path)
  return `// Inside of the \`try\` statement, a missing module would only be a warning.
const read = () => require(${request})
let lastUpdate = 0
let hasFailed = false
let lastError
async function load(take, fail) {
  // The result of an update is outdated when the next one has arrived.
  const update = (lastUpdate += 1)
  hasFailed = false
  try {
    const handlers = await read()
    if (update === lastUpdate) await take(handlers)
  } catch (error) {
    if (update !== lastUpdate) return
    hasFailed = true
    lastError = error
    fail(error)
  }
}
module.exports = (take, fail) => {
  let isMissed = false
  // Do not return the promise: webpack would wait for it before it ends the update, and until then it holds the code that the start of
  // mocking imports.
  const update = () => {
    isMissed = false
    void load(take, fail)
  }
  try {
    // Without the last argument an error reloads the page.
    if (module.hot) module.hot.accept(${request}, update, fail)
  } catch {
    // Turbopack of Next 15 throws for a request: a module can only accept its own updates, which evaluate it again.
    module.hot.accept()
    module.hot.dispose((data) => Object.assign(data, { take, fail }))
  }
  // With output.strictModuleErrorHandling, as in Next.js, the runtime deletes a module that threw, and applies its next
  // update without the callback of accept(). Then the page would never take the repaired handlers.
  module.hot?.addStatusHandler?.((status) => {
    if (status === 'apply') isMissed = hasFailed
    if (status !== 'idle' || !isMissed) return
    isMissed = false
    // Without that option the runtime keeps the module's error, and throws it again: do not report it twice.
    const known = lastError
    load(take, (error) => error === known || fail(error))
  })
  return load(take, fail)
}
if (module.hot?.data?.take) module.exports(module.hot.data.take, module.hot.data.fail)
`
}

/**
 * Returns statements that find the worker on the page's own origin. If the public path has another origin (a CDN, or a
 * dev server whose scripts the page of another server loads), the worker may be missing there, as it is in Karma's page.
 */
function findWorker({ worker: { file, scope } }: ResolvedOptions): string {
  return `const { origin, pathname } = new URL(__webpack_public_path__ + ${JSON.stringify(file)}, document.baseURI)
// Karma serves only the files that its configuration lists.
const isElsewhere = origin !== location.origin || '__karma__' in window
const workerUrl = new URL(pathname, location.origin)
// A page outside the worker's folder (as with the public path "/static/") needs more than what is its due.
const isInside = location.pathname.startsWith(new URL('.', workerUrl).pathname)
const scope = ${scope === undefined ? "isInside ? undefined : '/'" : JSON.stringify(scope)}`
}

/**
 * The overlays of the dev servers show only uncaught errors. They already show the compiler's errors. They discard
 * errors at each build, including builds without output.
 */
const showInOverlay = `let shown
async function showError(error) {
  if (/^Module (parse|build) failed|^Cannot find module/.test(error.cause?.message)) return
  shown = error
  // The overlay listens when the entry has run, and draws when there is a body.
  await new Promise((resolve) => setTimeout(resolve))
  if (!document.body) await new Promise((resolve) => addEventListener('DOMContentLoaded', resolve, { once: true }))
  showAgain(error)
}
function showAgain(error) {
  if (shown === error && !findOverlay()) dispatchEvent(new ErrorEvent('error', { error, message: error.message }))
}
function hideError() {
  findOverlay()?.querySelector('button')?.click()
  shown = undefined
}
function findOverlay() {
  const [line] = (shown?.message ?? '').split('\\n')
  const frames = [...document.querySelectorAll('iframe[id$="overlay"]')]
  return shown && frames.map((frame) => frame.contentDocument?.body).find((body) => body?.innerText.includes(line))
}
addEventListener('message', async ({ data, source }) => {
  // The dev server's client tells its own page: other windows have no say.
  if (source !== window || !shown || !/^webpack(Still)?Ok$/.test(data?.type)) return
  const error = shown
  // Either an update arrives later, or there will be none.
  do await new Promise((resolve) => setTimeout(resolve, 100))
  while (import.meta.webpackHot && import.meta.webpackHot.status() !== 'idle')
  showAgain(error)
})`

/**
 * Rsbuild's client sends the page's errors to the dev server, which returns the text for the overlay. The client
 * removes them when an update arrives. The plugin makes the server show only errors with this name.
 */
const showByEvents = `let shown, last
async function showError(error) {
  // The overlay shows what the compiler reports.
  if (/^Module (parse|build) failed|^Cannot find module/.test(error.cause?.message)) return
  last = error.message.split('\\n')[0]
  shown = Object.assign(new Error(error.message), { name: ${JSON.stringify(overlayErrorName)}, stack: error.stack })
  // The client listens after the entry has run.
  await new Promise((resolve) => setTimeout(resolve))
  if (!document.body) await new Promise((resolve) => addEventListener('DOMContentLoaded', resolve, { once: true }))
  observer.observe(document.body, { childList: true })
  showAgain()
}
function showAgain() {
  if (shown) dispatchEvent(new ErrorEvent('error', { error: shown, message: shown.message }))
}
function hideError() {
  shown = undefined
  hideOverlay()
}
function hideOverlay() {
  for (const overlay of document.querySelectorAll('rsbuild-error-overlay')) {
    if (!shown && last && overlay.shadowRoot?.textContent.includes(last)) overlay.remove()
  }
}
// The answer of the server arrives later, perhaps after the handlers are right again.
const observer = new MutationObserver(hideOverlay)
if (import.meta.webpackHot) {
  // An update makes the client forget the errors of the page.
  import.meta.webpackHot.addStatusHandler((status) => {
    if (status === 'idle') setTimeout(showAgain, 100)
  })
}`
