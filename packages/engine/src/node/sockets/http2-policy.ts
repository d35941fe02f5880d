import { failure, print } from '../../core/failure.ts'
import type { Network } from '../../core/network/network.ts'
import { Request } from '../../core/platform.ts'

/** The origins about which each network has printed a warning. */
const warnedOrigins = new WeakMap<Network, Set<string>>()

let lastId = 0

/**
 * Applies the policies for unhandled requests to a connection that speaks HTTP/2. Its requests cannot be read, so no
 * handler answers them. A callback gets the preface as a request: the method `PRI` and the path `/*`.
 *
 * @param origin scheme, host and port of the server
 * @throws if the policy fails the connection
 * @see https://www.rfc-editor.org/rfc/rfc9113#section-3.4
 */
export async function applyHttp2Policies(origin: string, networks: readonly Network[]): Promise<void> {
  await Promise.all(networks.map((network) => applyPolicy(origin, network)))
}

async function applyPolicy(origin: string, network: Network): Promise<void> {
  const { unhandled } = network
  if (unhandled.isSilent) return
  if (unhandled.fails) {
    const error = failure(
      'US0411',
      `open an HTTP/2 connection to ${origin}`,
      'handlers do not answer HTTP/2, and "onUnhandledRequest" is "error"',
      'Configure the client to use HTTP/1.1.',
    )
    print.failure(error.message)
    throw error
  }
  if (unhandled.decides) {
    const request = new Request(`${origin}/*`, { method: 'PRI' })
    const description = `Handlers do not answer the HTTP/2 connection to ${origin}. Configure the client to use HTTP/1.1.`
    await unhandled.apply(request, `http2-${++lastId}`, () => description)
    return
  }
  let warned = warnedOrigins.get(network)
  if (!warned) warnedOrigins.set(network, (warned = new Set()))
  if (warned.has(origin)) return
  warned.add(origin)
  print.warn(
    'US0412',
    `The HTTP/2 connection to ${origin} goes to the network, because handlers do not answer HTTP/2. ` +
      'Configure the client to use HTTP/1.1.',
  )
}
