import { createAbortController } from '../../core/abort-controller.ts'
import type { IncomingRequest } from '../../core/handlers/incoming-request.ts'
import { toError } from '../../core/network/thrown-error.ts'
import { HttpResponse } from '../../core/responses/http-response.ts'
import { BrokenRequest } from '../request/broken-request.ts'
import { knownReading } from '../request/graphql-request.ts'
import { readResults } from './read-results.ts'
import { createTextStream, type TextStream } from './text-stream.ts'

/**
 * The single connection mode of GraphQL over server-sent events: a client reserves a channel (`PUT`), opens it (`GET`),
 * sends operations (`POST`, answered with 202) and stops them (`DELETE`); all results come through the channel.
 *
 * @see https://github.com/enisdenjo/graphql-sse/blob/master/PROTOCOL.md#single-connection-mode
 */
class Channel {
  #stream: TextStream | undefined
  /** The text that was sent before the channel was opened. */
  #early = ''
  readonly #operations = new Map<string, AbortController>()

  /** @returns `undefined` if it is already open */
  open(onEnd: () => void): Response | undefined {
    if (this.#stream) return undefined
    this.#stream = createTextStream({ 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-cache' })
    this.#stream.write(`:\n\n${this.#early}`)
    this.#stream.onEnd(() => {
      for (const id of this.#operations.keys()) this.stop(id)
      onEnd()
    })
    return this.#stream.response
  }

  async carry(id: string, response: Response): Promise<void> {
    const controller = createAbortController()
    this.#operations.set(id, controller)
    try {
      for await (const frame of readResults(response, controller.signal)) {
        if (frame.type === 'next') this.#send('next', { id, payload: frame.payload })
        if (frame.type === 'error') this.#send('next', { id, payload: { errors: frame.payload } })
      }
    } catch (error) {
      this.#send('next', { id, payload: { errors: [{ message: toError(error).message }] } })
    }
    if (this.#operations.delete(id)) this.#send('complete', { id })
  }

  stop(id: string): void {
    this.#operations.get(id)?.abort()
    this.#operations.delete(id)
  }

  #send(event: string, data: object): void {
    const text = `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`
    if (this.#stream) this.#stream.write(text)
    else this.#early += text
  }
}

const channels = new Map<string, Channel>()

function tokenOf({ request, url }: IncomingRequest): string | null {
  return request.headers.get('x-graphql-event-stream-token') ?? url.searchParams.get('token')
}

function channelOf(incoming: IncomingRequest): Channel | undefined {
  // Reading the token costs time for every request.
  if (channels.size === 0) return undefined
  const token = tokenOf(incoming)
  return token === null ? undefined : channels.get(token)
}

/** Returns whether a request reserves, opens or ends something on a channel, and is not an operation itself. */
export function isStreamControl(incoming: IncomingRequest): boolean {
  const { method } = incoming
  if (method === 'PUT') {
    const { request } = incoming
    // Firefox has no `Request.body`. There, the headers show whether the request has a body.
    return request.body === null || (!request.body && !request.headers.has('content-type'))
  }
  return (method === 'GET' || method === 'DELETE') && channelOf(incoming) !== undefined
}

/** Answers a request for which {@link isStreamControl} returns `true`. */
export function answerStreamControl(incoming: IncomingRequest): Response {
  const { method, url } = incoming
  if (method === 'PUT') {
    const token = `${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}`
    channels.set(token, new Channel())
    return HttpResponse.text(token, { status: 201 })
  }
  const channel = channelOf(incoming)
  if (method === 'DELETE') {
    channel?.stop(url.searchParams.get('operationId') ?? '')
    return new HttpResponse(null, { status: 200 })
  }
  const opened = channel?.open(() => channels.delete(tokenOf(incoming) ?? ''))
  return opened ?? HttpResponse.text('The channel is open already.', { status: 409 })
}

/**
 * Sends a response through the channel of its request. Returns the response to the request itself, or `undefined` if
 * the request has no channel.
 */
export function divertToChannel(response: Response, incoming: IncomingRequest): Response | undefined {
  const channel = channelOf(incoming)
  // A refused operation is answered directly, not through the channel.
  if (!channel || incoming.method !== 'POST' || !response.ok) return undefined
  const reading = knownReading(incoming)
  const requested = !reading || reading instanceof BrokenRequest ? undefined : reading.operations[0]
  const id = requested?.extensions['operationId']
  if (typeof id !== 'string') return HttpResponse.text('The operation has no extensions.operationId.', { status: 400 })
  void channel.carry(id, response)
  return new HttpResponse(null, { status: 202 })
}
