import type { HandlersFile } from '@understudy/engine/internal/dev'

/** Returns the text of the module that loads the project's handlers and their edits, for Vite. */
export function createHandlersModule(file: HandlersFile | undefined): string {
  if (!file) return 'export async function connect() {}'
  const [path, name] = [JSON.stringify(file.path), JSON.stringify(file.name)]
  // A path of Windows has no slash before its drive.
  const url = JSON.stringify(`/@fs${file.path.startsWith('/') ? '' : '/'}${file.path}?t=`)
  return `let take, fail, lastUpdate = 0
export async function connect(...callbacks) {
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
