import { failure } from '../core/failure.ts'
import { parseUrl } from '../core/routing/parse-url.ts'
import { joinGroup } from './link-group.ts'
import { openPageChannel, type PageChannel } from './page-channel.ts'
import { WebSocketClient } from './web-socket-client.ts'
import type { ClientsOfLink, MatchedConnection } from './web-socket-side.ts'

type AnyClient = WebSocketClient<unknown, unknown>

/** The messages of pages of one origin about the clients of a link, by its URL. */
type LinkMessage = { readonly link: string } & (
  | { readonly type: 'understudy:clients-ask' }
  /** All clients of a page. Empty when its mocking stops or the page closes. */
  | {
      readonly type: 'understudy:clients'
      readonly page: string
      readonly clients: readonly RemoteData[]
      /** The Web Lock that the page holds while it exists. */
      readonly lock?: string | undefined
    }
  | { readonly type: 'understudy:client-send'; readonly client: string; readonly message: unknown }
  | {
      readonly type: 'understudy:client-close'
      readonly client: string
      readonly code: number
      readonly reason: string
    }
)

interface RemoteData {
  readonly id: string
  readonly url: string
}

/** The clients of a link: those that its handlers took, those of {@link LinkGroup}, and those of other pages. */
export class LinkClients implements ClientsOfLink {
  readonly link: string
  /** All clients, as handlers see them. */
  readonly all: Set<AnyClient> = new Set()
  #page: PageLink | undefined

  constructor(link: string) {
    this.link = link
  }

  /** Gets the clients of other pages. Does nothing outside of pages. */
  connect(): void {
    this.#page ??= openPageLink(this.link)
    this.#page?.join(this.all)
  }

  /** Adds a client until it closes, or the mocking of its connection stops. */
  add(client: AnyClient, { network, entry }: Pick<MatchedConnection, 'network' | 'entry'>): void {
    if (this.all.has(client)) return
    this.all.add(client)
    const leaveGroup = entry.layer === 'initial' ? joinGroup(network, this, client) : undefined
    this.#page?.add(client)
    const remove = (): void => {
      forgetEnd()
      this.all.delete(client)
      leaveGroup?.()
      this.#page?.remove(client)
    }
    const forgetEnd = network.connectionsEnd.add(remove)
    // A client that other code intercepted, see `WebSocketHandler.run()`, has only the event.
    const { '~ended': ended } = client as Partial<AnyClient>
    if (ended) ended.add(remove)
    else client.addEventListener('close', remove)
  }
}

const pageLinks = new Map<string, PageLink>()

/** @returns `undefined` outside of pages, and if the browser refuses the channel */
function openPageLink(link: string): PageLink | undefined {
  const known = pageLinks.get(link)
  if (known) return known
  const opened = new PageLink(link)
  if (!opened.isConnected) return undefined
  pageLinks.set(link, opened)
  return opened
}

/**
 * The links of one URL in this page. To other pages, they are one link: otherwise, a client of two links would get each
 * message twice, and the clients of one link would replace those of the other.
 */
class PageLink {
  /** The clients of each link. */
  readonly #links = new Set<Set<AnyClient>>()
  readonly #own = new Map<string, AnyClient>()
  readonly #remote = new Map<string, readonly AnyClient[]>()
  /** The pages whose end this page waits for. */
  readonly #watched = new Set<string>()
  readonly #link: string
  readonly #channel: PageChannel | undefined

  constructor(link: string) {
    this.#link = link
    this.#channel = openPageChannel((data) => this.#receive(data), {
      leave: () => this.#post(this.#message([])),
      enter: () => this.#tell(),
    })
    this.#post({ type: 'understudy:clients-ask', link })
  }

  get isConnected(): boolean {
    return this.#channel !== undefined
  }

  join(clients: Set<AnyClient>): void {
    this.#links.add(clients)
    for (const client of [...this.#remote.values()].flat()) clients.add(client)
  }

  add(client: AnyClient): void {
    if (this.#own.has(client.id)) return
    this.#own.set(client.id, client)
    this.#tell()
  }

  remove(client: AnyClient): void {
    if (this.#own.delete(client.id)) this.#tell()
  }

  /** Tells other pages the clients of this page. */
  #tell(): void {
    const tell = (lock?: string): void => {
      // The message in `pagehide` must remain the last one.
      if (this.#channel?.locks.isAway === false) this.#post(this.#message(this.#own.values(), lock))
    }
    if (this.#own.size === 0) tell()
    // Other pages would take a page that does not hold its lock yet for a closed one.
    else void this.#channel?.locks.hold().then(tell)
  }

  #message(clients: Iterable<AnyClient>, lock?: string): LinkMessage {
    const data = Array.from(clients, ({ id, url }): RemoteData => ({ id, url: url.href }))
    return { type: 'understudy:clients', link: this.#link, page: this.#channel?.page ?? '', clients: data, lock }
  }

  #post(message: LinkMessage): void {
    this.#channel?.post(message)
  }

  #receive(data: unknown): void {
    if (!isLinkMessage(data) || data.link !== this.#link) return
    switch (data.type) {
      case 'understudy:clients-ask':
        if (this.#own.size > 0) this.#tell()
        return
      case 'understudy:clients':
        this.#setRemote(data.page, data.clients)
        if (data.lock !== undefined) this.#watch(data.page, data.lock)
        return
      case 'understudy:client-send':
        this.#own.get(data.client)?.send(data.message)
        return
      case 'understudy:client-close':
        this.#own.get(data.client)?.close(data.code, data.reason)
    }
  }

  #watch(page: string, lock: string): void {
    if (this.#watched.has(page)) return
    this.#watched.add(page)
    this.#channel?.locks.watch(lock, () => {
      this.#watched.delete(page)
      this.#setRemote(page, [])
    })
  }

  #setRemote(page: string, data: readonly RemoteData[]): void {
    const former = this.#remote.get(page) ?? []
    const clients = data.map((client) => this.#createRemote(client))
    for (const link of this.#links) {
      for (const client of former) link.delete(client)
      for (const client of clients) link.add(client)
    }
    if (clients.length > 0) this.#remote.set(page, clients)
    else this.#remote.delete(page)
  }

  #createRemote({ id, url }: RemoteData): AnyClient {
    const link = this.#link
    return new RemoteClient(id, new URL(url), (message) => {
      if ('message' in message) {
        this.#post({ type: 'understudy:client-send', link, client: id, message: message.message })
      } else this.#post({ type: 'understudy:client-close', link, client: id, ...message })
    })
  }
}

type RemoteCommand = { readonly message: unknown } | { readonly code: number; readonly reason: string }

/** A client of another page. That page encodes sent messages with the extension of its own link. */
class RemoteClient extends WebSocketClient<unknown, unknown> {
  readonly #command: (command: RemoteCommand) => void

  constructor(id: string, url: URL, command: (command: RemoteCommand) => void) {
    super(id, url, undefined as never, {
      encode: (message) => [message],
      send: () => {},
      close: ({ code, reason }) => command({ code, reason }),
    })
    this.#command = command
  }

  override send(message: unknown): void {
    this.#command({ message })
  }

  override addEventListener(): void {
    throw failure(
      'US0606',
      `listen to the client of ${this.url.href}`,
      'the client belongs to another page',
      'Listen in that page, whose handlers handle its connection.',
    )
  }
}

/** Any script of the origin may post to the channel. */
function isLinkMessage(data: unknown): data is LinkMessage {
  if (typeof data !== 'object' || data === null) return false
  const { type, link, page, client, clients, lock, code, reason } = data as Record<string, unknown>
  if (typeof link !== 'string') return false
  switch (type) {
    case 'understudy:clients-ask':
      return true
    case 'understudy:clients':
      return (
        typeof page === 'string' &&
        (lock === undefined || typeof lock === 'string') &&
        Array.isArray(clients) &&
        clients.every(isRemoteData)
      )
    case 'understudy:client-send':
      return typeof client === 'string' && 'message' in data
    case 'understudy:client-close':
      return typeof client === 'string' && typeof code === 'number' && typeof reason === 'string'
    default:
      return false
  }
}

function isRemoteData(value: unknown): value is RemoteData {
  const { id, url } = (value ?? {}) as Partial<Record<string, unknown>>
  return typeof id === 'string' && typeof url === 'string' && parseUrl(url) !== undefined
}
