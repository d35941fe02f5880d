import { synchronousHash } from '../../worker/protocol.ts'
import { warnOfSynchronousRequest } from '../gate/warn-of-synchronous-request.ts'
import { patchMethod } from './patch-method.ts'

/**
 * Makes the service worker leave synchronous XMLHttpRequests alone in Firefox. Otherwise it asks the page, which cannot
 * answer while it waits, and Firefox freezes the page for 60 seconds. Other browsers do not show such requests to
 * service workers.
 *
 * @returns a function that ends this
 */
export function passSynchronousRequests(): () => void {
  return patchMethod('open', (native, _xhr, args) => {
    const [method, input, isAsync = true, ...credentials] = args
    const url = isAsync ? null : URL.parse(String(input), document.baseURI)
    if (!url?.protocol.startsWith('http') || !navigator.serviceWorker.controller) return native()
    warnOfSynchronousRequest(String(method), url.href)
    // The service worker sees the fragment of a URL, and the server does not.
    url.hash = synchronousHash
    return native([method, url.href, false, ...credentials])
  })
}
