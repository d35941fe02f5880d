import type { FoundHandlers } from './project-handlers.ts'

/**
 * The event with which a page asks how long ago its handlers were edited, and the answer, whose data is `ago` in milliseconds. Vite sends an
 * update only to pages that are connected at that moment. A page that has loaded its handlers, or has found none, and connects later
 * would miss the edit.
 */
export const lastEditEvent = 'understudy:storybook-last-edit'

/** Returns the text of a function that reports a missing handlers module, or does nothing without one, for any builder. */
export function createMissing({ missing }: FoundHandlers): string {
  const report = missing && `fail(new Error(${JSON.stringify(missing.reason)}), ${JSON.stringify(missing.name)})`
  return `async function connect(...callbacks) {
  [take, fail] = callbacks
  ${report ?? ''}
}`
}

/**
 * Returns the text of the module that loads the project's handlers and their edits, for Vite.
 *
 * @param isServed whether a dev server watches the files
 */
export function createHandlersModule(found: FoundHandlers, isServed = false): string {
  const load = found.file ? loadFile(found.file) : createMissing(found)
  return `let take, fail, lastUpdate = 0
export const loadLocating = undefined
export ${load}
${isServed ? updateLater : ''}`
}

function loadFile(file: NonNullable<FoundHandlers['file']>): string {
  const [path, name] = [JSON.stringify(file.path), JSON.stringify(file.name)]
  // A path of Windows has no slash before its drive.
  const url = JSON.stringify(`/@fs${file.path.startsWith('/') ? '' : '/'}${file.path}?t=`)
  return `async function connect(...callbacks) {
  [take, fail] = callbacks
  try {
    await take(await import(${path}), ${name})
  } catch (error) {
    fail(error, ${name})
  }
}
if (import.meta.hot) {
  import.meta.hot.accept(${path}, async (next) => {
    // The result of an update is outdated when the next one has arrived.
    const update = (lastUpdate += 1)
    try {
      // Vite does not report the error of a module that throws. Evaluate the module again to get it.
      const module = next ?? (await import(/* @vite-ignore */ ${url} + Date.now()))
      if (update === lastUpdate) await take?.(module, ${name})
    } catch (error) {
      if (update === lastUpdate) fail?.(error, ${name})
    }
  })
}`
}

/**
 * Passes the callbacks on to the next module, which exists when the handlers file was created or deleted. The first module asks for edits
 * from before the page was connected.
 */
const updateLater = `if (import.meta.hot) {
  const { data } = import.meta.hot
  import.meta.hot.accept()
  import.meta.hot.dispose((next) => Object.assign(next, { take, fail }))
  if (data.take) void connect(data.take, data.fail)
  else {
    import.meta.hot.on(${JSON.stringify(lastEditEvent)}, ({ ago }) => {
      // The page was still loading.
      if (ago < performance.now()) location.reload()
    })
    import.meta.hot.send(${JSON.stringify(lastEditEvent)})
  }
}`
