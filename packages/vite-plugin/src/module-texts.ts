import { createBootstrapModule, type AppPages, type HandlersFile, type ResolvedOptions } from '@understudy/engine/dev'

import { errorEvent } from './error-overlay.ts'
import { handlersId } from './virtual-modules.ts'

export interface PageModule {
  options: ResolvedOptions
  /** An expression of the worker's URL. */
  workerUrl: string
  pages: AppPages
}

/** A page of the dev server. */
export interface DevPageModule extends PageModule {
  /** Whether Vite bundles in development, where modules that are no files cannot be imported dynamically. */
  isBundled: boolean
  /** Whether Vite's overlay shows errors. */
  hasOverlay: boolean
  /** What the page sends with an error: see `Project.pageToken`. */
  token: string
}

/** The bootstrap module of the dev server. */
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
    isGateInline: true,
    load: loadHot(name, page.isBundled),
  })
}

/** The bootstrap module of a build. */
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

/** A bootstrap module that can only say what is wrong: requests stay held, and the page shows why. */
export function createBrokenBootstrap(page: DevPageModule, message: string): string {
  return createBootstrapModule({
    options: page.options,
    file: 'the handlers module',
    workerUrl: '""',
    scope: undefined,
    showError: page.hasOverlay ? showInOverlay(page.token) : showNowhere,
    isShared: page.options.panel,
    load: `mocking.fail(Object.assign(new Error(${JSON.stringify(message)}), { name: 'UnderstudyError' }))`,
  })
}

const showNowhere = 'function showError() {}\nfunction hideError() {}'

/**
 * Has Vite's overlay show it, with what the dev server knows of the files; what it shows already, by itself, tells
 * more. An error that was mended meanwhile is not shown: the server may take its time.
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
 * Loads the handlers, and sees to what Vite's client would do otherwise: it reloads the page at the first update
 * after an error, and it keeps quiet about a module that throws.
 */
function loadHot(file: string, isBundled: boolean): string {
  const mend = JSON.stringify(
    `Failed to load the handlers of ${file}: one of their modules does not compile or is not there. See the terminal.`,
  )
  return `let isLoaded = false
const fail = (error) =>
  mocking.fail(/dynamically imported module|Importing a module/.test(error.message) ? Object.assign(new Error(${mend}), { name: 'UnderstudyError' }) : error)
const take = async (handlers) => {
  if (await mocking.take(handlers)) hideError()
}
${
  isBundled
    ? `import { connect } from ${JSON.stringify(handlersId)}
isLoaded = true
connect(take, fail)`
    : `import(${JSON.stringify(handlersId)}).then(({ connect }) => {
  isLoaded = true
  return connect(take, fail)
}, fail)`
}
if (import.meta.hot) {
  const isOfHandlers = ({ updates }) => updates.every(({ path }) => path.includes(${JSON.stringify(handlersId)}))
  import.meta.hot.on('vite:beforeUpdate', (payload) => {
    if (!isLoaded || !isOfHandlers(payload)) return
    hideError()
    document.querySelector('vite-error-overlay')?.remove()
  })
  import.meta.hot.on('vite:afterUpdate', (payload) => {
    if (!isLoaded && isOfHandlers(payload)) location.reload()
  })
}`
}

/**
 * The module that brings the handlers. It exports `connect(take, fail)`. It does not import the bootstrap module,
 * which imports it: Vite reloads the page when an update fails within a circle of imports.
 *
 * @param url where the browser finds the handlers module
 */
export function createHandlersModule({ path }: HandlersFile, url: string): string {
  return `import * as first from ${JSON.stringify(path)}
let handlers = first, take, fail, lastUpdate = 0
export function connect(...callbacks) {
  [take, fail] = callbacks
  return take(handlers)
}
if (import.meta.hot) {
  import.meta.hot.accept(${JSON.stringify(path)}, async (next) => {
    // What comes of an update is stale when the next one is there.
    const update = (lastUpdate += 1)
    try {
      // Vite keeps the error of a module that throws to itself: evaluating it once more tells. By "t", as Vite asks
      // for updates: any other query makes it a module of its own, whose edits reload the page.
      handlers = next ?? (await import(/* @vite-ignore */ ${JSON.stringify(url)} + '?t=' + Date.now()))
      if (update === lastUpdate) await take?.(handlers)
    } catch (error) {
      if (update === lastUpdate) fail?.(error)
    }
  })
}
`
}
