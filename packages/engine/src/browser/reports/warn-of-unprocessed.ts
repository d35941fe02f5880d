import { print } from '../../core/failure.ts'

const warned = new Set<string>()

/**
 * Says on the console, once for each script, that the WebSockets of a web worker reach the network, because no plugin of a build
 * tool has put the code before its script that asks the page. Web workers that open none are not reported.
 *
 * @param url of the web worker's script
 * @param script its text
 */
export function warnOfUnprocessed(url: string, script: string): void {
  // Turbopack creates a `blob:` script until Next.js 16.3, which loads those of the app. Vite's client opens a WebSocket to its server.
  const opens = /\bWebSocket(?:Stream)?\b|\bTURBOPACK_/.test(script) && !script.includes('vite-ping')
  const shown = url.startsWith('blob:') ? 'with a blob: URL' : new URL(url, document.baseURI).href
  if (!opens || /understudy/i.test(script) || warned.has(shown)) return
  warned.add(shown)
  print.warn(
    'US0623',
    `Failed to give the WebSockets of the web worker ${shown} to handlers: no plugin of Understudy processes its script, so they reach ` +
      "the network. Create it with new Worker(new URL('./worker.ts', import.meta.url)), or open the WebSocket in the page.",
  )
}
