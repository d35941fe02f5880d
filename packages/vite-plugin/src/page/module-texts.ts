import {
  createBootstrapModule,
  withCode,
  type AppPages,
  type HandlersFile,
  type ResolvedOptions,
} from '@understudy/engine/internal/dev'

import { errorEvent } from '../dev-server/error-overlay.ts'
import { handlersFoundEvent, lastEditEvent } from '../last-edit.ts'
import { handlersId } from '../virtual-modules.ts'

export interface PageModule {
  options: ResolvedOptions
  /** An expression for the worker's URL. */
  workerUrl: string
  pages: AppPages
}

/** A page of the dev server. */
export interface DevPageModule extends PageModule {
  /** Whether Vite bundles in development, where virtual modules cannot be imported dynamically. */
  isBundled: boolean
  /** Whether Vite's overlay shows errors. */
  hasOverlay: boolean
  /** The token that the page sends with an error: see `Project.pageToken`. */
  token: string
  /** The path below which the app has its pages and the panel. */
  appPath: string
}

/** Creates the bootstrap module of the dev server. */
export function createDevBootstrap(page: DevPageModule, { name }: HandlersFile): string {
  const { options, workerUrl } = page
  return createBootstrapModule({
    options,
    file: name,
    workerUrl,
    scope: JSON.stringify(options.worker.scope),
    showError: page.hasOverlay ? showInOverlay(page.token) : showNowhere,
    pages: page.pages,
    isShared: options.panel,
    panelUrl: findPanel(page),
    isGateInline: true,
    load: loadHot(name, page),
  })
}

/** Creates the bootstrap module of a build. */
export function createBuildBootstrap({ options, workerUrl, pages }: PageModule, { name }: HandlersFile): string {
  return createBootstrapModule({
    options,
    file: name,
    workerUrl,
    scope: JSON.stringify(options.worker.scope),
    showError: showNowhere,
    pages,
    isShared: false,
    isGateInline: true,
    load: `import(${JSON.stringify(handlersId)}).then(({ connect }) => connect(mocking.take), mocking.fail)`,
  })
}

/** Creates a bootstrap module that only shows an error. Requests stay held. */
export function createBrokenBootstrap(page: DevPageModule, message: string): string {
  return createBootstrapModule({
    options: page.options,
    file: 'the handlers module',
    workerUrl: '""',
    scope: undefined,
    showError: page.hasOverlay ? showInOverlay(page.token) : showNowhere,
    isShared: page.options.panel,
    panelUrl: findPanel(page),
    load: `mocking.fail(Object.assign(new Error(${JSON.stringify(message)}), { name: 'UnderstudyError' }))
${page.isBundled ? '' : askForHandlers(page.token)}`,
  })
}

/** Reloads the page if there is a handlers file by the time when the page is connected. A bundle would still be the old one. */
const askForHandlers = (
  token: string,
): string => `import.meta.hot?.on(${JSON.stringify(handlersFoundEvent)}, () => location.reload())
import.meta.hot?.send(${JSON.stringify(handlersFoundEvent)}, { token: ${JSON.stringify(token)} })`

/** Of the dev server's origin: a page of another server shows no panel. */
function findPanel({ appPath }: DevPageModule): string {
  return `new URL(import.meta.url).origin + ${JSON.stringify(`${appPath}__understudy/`)}`
}

const showNowhere = 'function showError() {}\nfunction hideError() {}'

/**
 * Shows the error in Vite's overlay, with the dev server's data about the files. An error that Vite already shows
 * stays, because it has more details. An error that was fixed in the meantime is not shown: the server may be slow.
 */
const showInOverlay = (token: string): string => `let lastError = 0, overlay
async function showError({ message, stack }) {
  const id = (lastError += 1)
  await customElements.whenDefined('vite-error-overlay')
  if (!document.body) await new Promise((resolve) => addEventListener('DOMContentLoaded', resolve, { once: true }))
  if (id === lastError) import.meta.hot.send(${JSON.stringify(errorEvent)}, { id, message, stack, token: ${JSON.stringify(token)} })
}
function hideError() {
  lastError += 1
  overlay?.remove()
}
import.meta.hot?.on(${JSON.stringify(errorEvent)}, ({ id, err }) => {
  if (id !== lastError || document.querySelector('vite-error-overlay')) return
  overlay = new (customElements.get('vite-error-overlay'))(err)
  document.body.append(overlay)
})`

/**
 * Loads the handlers, and handles three cases that Vite's client does not: it reloads the page at the first update
 * after an error, does not report a module that throws, and drops an update of a module that is still loading.
 */
function loadHot(file: string, { isBundled, token }: DevPageModule): string {
  const message = JSON.stringify(
    withCode(
      'US0312',
      `Failed to load the handlers of ${file}: one of their modules does not compile or is missing. See the terminal.`,
    ),
  )
  return `let isLoaded = false, hasFailed = false, isStale = false, refresh
const fail = (error) => {
  mocking.fail(/dynamically imported module|Importing a module/.test(error?.message) ? Object.assign(new Error(${message}), { name: 'UnderstudyError' }) : error)
}
const take = async (handlers) => {
  if (await mocking.take(handlers)) hideError()
}
${isBundled ? loadBundled : loadServed(token)}
if (import.meta.hot) {
  const isOfHandlers = ({ updates }) => updates.every(({ path }) => path.includes(${JSON.stringify(handlersId)}))
  import.meta.hot.on('vite:beforeUpdate', (payload) => {
    if (!isLoaded || !isOfHandlers(payload)) return
    hideError()
    document.querySelector('vite-error-overlay')?.remove()
  })
  import.meta.hot.on('vite:afterUpdate', (payload) => {
    if (isLoaded || !isOfHandlers(payload)) return
    // A browser does not request a module again that failed to load.
    if (hasFailed) location.reload()
    else isStale = true
  })
}`
}

const loadBundled = `import { connect } from ${JSON.stringify(handlersId)}
isLoaded = true
connect(take, fail)`

/** Asks the dev server for edits from before the page was connected, because the page gets no update for them. */
const loadServed = (token: string): string => `const start = performance.now()
import(${JSON.stringify(handlersId)}).then((module) => {
  isLoaded = true
  refresh = module.refresh
  return module.connect(take, fail, isStale)
}).catch((error) => {
  hasFailed = true
  if (isStale) location.reload()
  else fail(error)
})
import.meta.hot?.on(${JSON.stringify(lastEditEvent)}, ({ ago }) => {
  if (performance.now() - ago < start) return
  if (isLoaded) refresh()
  else if (hasFailed) location.reload()
  else isStale = true
})
import.meta.hot?.send(${JSON.stringify(lastEditEvent)}, { token: ${JSON.stringify(token)} })`

/**
 * Creates the module that loads the handlers. It exports `connect(take, fail, isStale)` and `refresh()`, which loads
 * handlers that were edited before the page listened for updates. It does not import the bootstrap module, which
 * imports it, because Vite reloads the page when an update fails inside an import cycle.
 *
 * @param url the URL of the handlers module in the browser
 */
export function createHandlersModule({ path }: HandlersFile, url: string): string {
  return `import * as first from ${JSON.stringify(path)}
let handlers = first, take, fail, lastUpdate = 0
export function connect(onHandlers, onError, isStale) {
  [take, fail] = [onHandlers, onError]
  return isStale ? refresh() : take(handlers)
}
export function refresh() {
  // An update that was applied in between contains the latest edit.
  return lastUpdate === 0 ? update() : undefined
}
async function update(next) {
  // The result of an update is stale when the next update arrives.
  const id = (lastUpdate += 1)
  try {
    // Vite does not pass on the error of a module that throws: importing it again does. With "t", as Vite requests
    // updates: any other query makes it a separate module, whose edits reload the page.
    handlers = next ?? (await import(/* @vite-ignore */ ${JSON.stringify(url)} + '?t=' + Date.now()))
    if (id === lastUpdate) await take?.(handlers)
  } catch (error) {
    if (id === lastUpdate) fail?.(error)
  }
}
if (import.meta.hot) import.meta.hot.accept(${JSON.stringify(path)}, update)
`
}
