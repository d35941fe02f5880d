import type { Agent } from 'node:http'
import type { Socket } from 'node:net'

/** The requests that waited in the queue of a Node agent when the last server closed. */
const queuedAtClose = new WeakSet<object>()

/**
 * The queue from which a Node agent (with `maxSockets`) gives requests to a socket. Requests that waited there when the
 * last server closed were made before, so its handlers must answer them. Otherwise, the agent would open a connection
 * to the network for them.
 */
export class AgentQueue {
  readonly #agent: Agent
  readonly #socket: Socket
  /** Whether the socket will send a request that was made before the server closed. */
  #isExpecting = false

  constructor(agent: Agent, socket: Socket) {
    this.#agent = agent
    this.#socket = socket
  }

  /** Call this when the last server closes. */
  close(isAnswering: boolean): void {
    this.#isExpecting = !isAnswering
    for (const request of this.#requests()) queuedAtClose.add(request)
  }

  /** Whether requests that were made before the close still wait for a socket. */
  get isAwaited(): boolean {
    return this.#requests().some((request) => queuedAtClose.has(request))
  }

  /** Returns whether the request that was just received was made after the server closed. */
  takeLate(): boolean {
    const isExpected = this.#isExpecting
    this.#isExpecting = false
    const { _httpMessage: request } = this.#socket as { _httpMessage?: object | null }
    return !isExpected && !(request && queuedAtClose.has(request))
  }

  #requests(): readonly object[] {
    // The agent of a library may have neither property.
    const { sockets = {}, requests = {} } = this.#agent as Partial<Agent>
    const name = Object.keys(sockets).find((each) => sockets[each]?.includes(this.#socket))
    return (name !== undefined && requests[name]) || []
  }
}
