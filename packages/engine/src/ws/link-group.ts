import type { Network } from '../core/network/network.ts'
import type { WebSocketClient } from './web-socket-client.ts'
import { webSocketEntries, type ClientsOfLink } from './web-socket-side.ts'

type AnyClient = WebSocketClient<unknown, unknown>

const groups = new WeakMap<Network, Map<string, LinkGroup>>()

/**
 * The links of one URL whose handlers are the initial ones of a network, or were before a hot update, and their open
 * connections. After a hot update, the app's connections stay, and the new module has a new link. Without this group, its
 * broadcasts would reach no client of the page.
 * Scoped and runtime handlers belong to a story or a test: the clients of one must not appear in the next.
 */
class LinkGroup {
  readonly #links = new Set<Set<AnyClient>>()
  readonly #clients = new Set<AnyClient>()
  readonly #end: () => void

  constructor(network: Network, link: string, onEnd: () => void) {
    const forgetChanges = network.onChange(() => {
      for (const { entry, side } of webSocketEntries(network)) {
        const { clients } = side['~definition']
        if (entry.layer === 'initial' && clients?.link === link) this.join(clients.all)
      }
    })
    this.#end = () => {
      forgetChanges()
      onEnd()
    }
  }

  join(link: Set<AnyClient>): void {
    if (this.#links.has(link)) return
    this.#links.add(link)
    for (const client of this.#clients) link.add(client)
  }

  add(client: AnyClient): void {
    this.#clients.add(client)
    for (const link of this.#links) link.add(client)
  }

  delete(client: AnyClient): void {
    this.#clients.delete(client)
    for (const link of this.#links) link.delete(client)
    if (this.#clients.size === 0) this.#end()
  }
}

/** Adds a client to the links of its URL in a network. Returns a function that removes it from them. */
export function joinGroup(network: Network, { link, all }: ClientsOfLink, client: AnyClient): () => void {
  const ofNetwork = groups.get(network) ?? new Map<string, LinkGroup>()
  groups.set(network, ofNetwork)
  const group = ofNetwork.get(link) ?? new LinkGroup(network, link, () => ofNetwork.delete(link))
  ofNetwork.set(link, group)
  group.join(all)
  group.add(client)
  return () => group.delete(client)
}
