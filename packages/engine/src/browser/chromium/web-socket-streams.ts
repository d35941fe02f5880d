import { print } from '../../core/failure.ts'
import type { Network } from '../../core/network/network.ts'
import { webSocketEntries } from '../../ws/web-socket-side.ts'
import { connectStream, createUnconnected, type WebSocketStreamArgs } from '../../ws/web-socket-stream.ts'
import { getPageState } from '../gate/gate.ts'
import { wrapProperty } from '../gate/wrap-property.ts'

/**
 * Replaces the page's `WebSocketStream` (Chromium). If a handler takes a connection, the page's `WebSocket` opens it, and the app gets
 * its messages as streams.
 *
 * @returns a function that ends this
 */
export function replaceStreams(network: Network): () => void {
  const { earlyStreams = [] } = getPageState()
  const takes = ([address, options]: WebSocketStreamArgs): boolean => {
    const url = toUrl(address)
    const { baseUrl } = network
    const protocols = [options?.protocols ?? []].flat()
    return (
      url !== undefined &&
      webSocketEntries(network).some(({ side }) => side['~definition'].match({ url, protocols, baseUrl }))
    )
  }
  for (const args of earlyStreams) {
    if (!takes(args)) continue
    print.error(
      'US0325',
      `Failed to answer the WebSocketStream to ${String(args[0])}: it was opened before mocking was on, and connected to the network. ` +
        'Open it later, or use WebSocket, which waits.',
    )
  }
  const streams = wrapProperty(globalThis, 'WebSocketStream', {
    construct(args: WebSocketStreamArgs, create) {
      const [url, options] = args
      const { protocols, signal } = options ?? {}
      if ((args.length as number) === 0 || signal?.aborted) return create()
      const stream = createUnconnected(create, args)
      if (!takes(args) && !network.unhandled.decides) {
        import('../../ws/report-connection.ts').then(
          ({ reportCall }) => reportCall({ args: [url, protocols], networks: [network] }),
          () => {},
        )
        return create()
      }
      return connectStream(stream, new WebSocket(url, protocols), signal)
    },
  })
  return () => streams?.release(streams.original)
}

function toUrl(address: string | URL): URL | undefined {
  try {
    const url = new URL(address, document.baseURI)
    url.protocol = url.protocol.replace('http', 'ws')
    return url
  } catch {
    return undefined
  }
}
