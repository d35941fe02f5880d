import { print } from '../../core/failure.ts'
import { couldAnswer } from '../../core/handlers/candidates.ts'
import { HandlerLayers } from '../../core/handlers/handler-layers.ts'
import { isRequestHandler } from '../../core/handlers/request-handler.ts'
import { mayAnswerDocuments } from '../../core/network/document-request.ts'
import type { Network } from '../../core/network/network.ts'
import { parseUrl } from '../../core/routing/parse-url.ts'
import { wrapProperty } from '../gate/wrap-property.ts'

/**
 * Reports requests of `<object>`, `<embed>` and `<a download>` that a handler could match: browsers send them to the
 * network without asking a service worker. Each URL is reported once.
 *
 * @returns a function that ends this
 * @see https://w3c.github.io/ServiceWorker/#handle-fetch (step about plugin documents)
 */
export function watchDocuments(network: Network): () => void {
  const reported = new Set<string>()
  const listening = new AbortController()

  function check(element: Element): void {
    const { data, src, href } = element as Partial<Record<'data' | 'src' | 'href', string>>
    const url = parseUrl(data ?? src ?? href ?? '')
    if (!url || reported.has(url.href) || !couldAnswerDocument(network, url)) return
    reported.add(url.href)
    const isLink = href !== undefined
    print.error(
      'US0317',
      `Failed to answer a request for ${url.href}: browsers send requests from ` +
        `<${isLink ? 'a download' : element.localName}> to the network without a service worker. ` +
        (isLink
          ? 'Remove the attribute and have the handler respond with the header Content-Disposition: attachment.'
          : 'Use an <iframe>.'),
    )
  }

  const { signal } = listening
  const options = { capture: true, signal }
  const onLoad = ({ target }: Event): void => {
    if (target instanceof HTMLObjectElement || target instanceof HTMLEmbedElement) check(target)
  }
  document.addEventListener('load', onLoad, options)
  document.addEventListener('error', onLoad, options)
  for (const element of document.querySelectorAll('object, embed')) check(element)
  // Firefox shows downloads to the service worker.
  if ('mozInnerScreenX' in globalThis) return () => listening.abort()
  const onClick = ({ target }: Event): void => {
    const link = target instanceof Element ? target.closest('a[download]') : null
    if (link) check(link)
  }
  document.addEventListener('click', onClick, options)
  // Scripts also click links that are not in the document. Only the link itself gets the event of such a click.
  const download = wrapProperty(HTMLAnchorElement.prototype, 'download', {
    set(link: HTMLAnchorElement, _, native) {
      link.addEventListener('click', onClick, { signal })
      return native()
    },
  })
  download?.hold()
  return () => {
    listening.abort()
    download?.release(download.original)
  }
}

/** Returns whether a handler that may answer requests for documents could match. */
function couldAnswerDocument({ layers, baseUrl, pages }: Network, url: URL): boolean {
  const handlers = layers
    .entries()
    .filter(({ enabled }) => enabled)
    .map(({ handler }) => handler)
    .filter((handler) => isRequestHandler(handler) && mayAnswerDocuments(handler, baseUrl, pages))
  return couldAnswer({ layers: new HandlerLayers(handlers), baseUrl }, 'GET', url)
}
