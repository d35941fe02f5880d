import type { Connection, MockingPage } from './connection.ts'

/** The number of closed pages that are remembered, because their last requests arrive late. */
const closedLimit = 20

/** Connections that no longer get requests: those of closed pages, and those that a page has ended or replaced. */
export class EndedConnections {
  /** The connections of closed pages, with their route tables. Empty if these are unknown. */
  readonly closed: Map<string, MockingPage> = new Map()
  /** Connections that were ended or replaced, whose pages may still have to answer. */
  readonly #retired = new Set<Connection>()

  /** Requests that wait for an answer of the page fail. */
  close(clientId: string, page: MockingPage): void {
    this.closed.delete(clientId)
    this.closed.set(clientId, page)
    for (const old of [...this.closed.keys()].slice(0, -closedLimit)) this.closed.delete(old)
    for (const connection of page) connection.close()
  }

  retire(connection: Connection): void {
    this.#retired.add(connection)
  }

  /** Returns whether a connection that was ended or replaced still has to answer. */
  areAwaited(): boolean {
    for (const connection of this.#retired) if (!connection.isAsked) this.#retired.delete(connection)
    return this.#retired.size > 0
  }

  /** Requests that wait for an answer of a page that was closed meanwhile fail. */
  closeRetired(isClosed: (clientId: string) => boolean): void {
    for (const connection of this.#retired) if (isClosed(connection.clientId)) connection.close()
  }
}
