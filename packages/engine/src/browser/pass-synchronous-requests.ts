import { synchronousHash } from '../worker/protocol.ts'
import { warnOfSynchronousRequest } from './gate/warn-of-synchronous-request.ts'

type Open = (this: XMLHttpRequest, ...args: unknown[]) => void

/**
 * Lets synchronous XMLHttpRequests pass the service worker in Firefox: it would ask the page, which cannot answer while
 * it waits. Firefox would freeze the page for 60 seconds. Other browsers do not show such requests to service workers.
 *
 * @returns ends it
 */
export function passSynchronousRequests(): () => void {
  if (!('mozInnerScreenX' in globalThis)) return () => {}
  const { prototype } = XMLHttpRequest
  const open = Reflect.get(prototype, 'open') as Open
  const openMarked: Open = function (this: XMLHttpRequest, ...args) {
    const [method, input, isAsync = true, ...credentials] = args
    const url = isAsync ? null : URL.parse(String(input), document.baseURI)
    if (url && navigator.serviceWorker.controller) {
      warnOfSynchronousRequest(String(method), url.href)
      // A fragment reaches the service worker and not the server.
      url.hash = synchronousHash
      Reflect.apply(open, this, [method, url.href, false, ...credentials])
    } else Reflect.apply(open, this, args)
  }
  Reflect.set(prototype, 'open', openMarked)
  return () => {
    if (Reflect.get(prototype, 'open') === openMarked) Reflect.set(prototype, 'open', open)
  }
}
