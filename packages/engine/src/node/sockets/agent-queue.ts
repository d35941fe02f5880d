import type { Agent } from 'node:http'
import type { Socket } from 'node:net'

/** Requests that waited in the queue of an agent of Node when the last server closed. */
const queuedAtClose = new WeakSet<object>()

/**
 * The queue from which an agent of Node (`maxSockets`) gives requests to a socket. Requests that waited there when the last
 * server closed were made before, so its handlers answer them. The agent would open a connection to the network for them.
 */
export class AgentQueue {
  readonly #agent: Agent
  readonly #socket: Socket
  /** Whether the socket has a request from before the server closed that is not received yet. */
  #isExpecting = false

  constructor(agent: Agent, socket: Socket) {
    this.#agent = agent
    this.#socket = socket
  }

  /** The last server closes. */
  close(isAnswering: boolean): void {
    this.#isExpecting = !isAnswering
    for (const request of this.#requests()) queuedAtClose.add(request)
  }

  /** Whether requests from before still wait for a socket. */
  get isAwaited(): boolean {
    return this.#requests().some((request) => queuedAtClose.has(request))
  }

  /** Whether the request that the socket has received now was made after the server closed. */
  takeLate(): boolean {
    const isExpected = this.#isExpecting
    this.#isExpecting = false
    const { _httpMessage: request } = this.#socket as { _httpMessage?: object | null }
    return !isExpected && !(request && queuedAtClose.has(request))
  }

  #requests(): readonly object[] {
    // An agent of a library may have neither.
    const { sockets = {}, requests = {} } = this.#agent as Partial<Agent>
    const name = Object.keys(sockets).find((each) => sockets[each]?.includes(this.#socket))
    return (name !== undefined && requests[name]) || []
  }
}
