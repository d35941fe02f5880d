import { synchronousHash } from '../../worker/protocol.ts'
import { warnOfSynchronousRequest } from '../gate/warn-of-synchronous-request.ts'
import { patchMethod } from './patch-method.ts'

/**
 * Lets synchronous XMLHttpRequests pass the service worker in Firefox: it would ask the page, which cannot answer while
 * it waits. Firefox would freeze the page for 60 seconds. Other browsers do not show such requests to service workers.
 *
 * @returns ends it
 */
export function passSynchronousRequests(): () => void {
  return patchMethod('open', (native, _xhr, args) => {
    const [method, input, isAsync = true, ...credentials] = args
    const url = isAsync ? null : URL.parse(String(input), document.baseURI)
    if (!url || !navigator.serviceWorker.controller) return native()
    warnOfSynchronousRequest(String(method), url.href)
    // A fragment reaches the service worker and not the server.
    url.hash = synchronousHash
    return native([method, url.href, false, ...credentials])
  })
}
