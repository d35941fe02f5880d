import { print } from '../../core/failure.ts'
import type { GraphQLResponseBody, GraphQLResultError } from '../graphql-resolver.ts'
import type { ResultFrame } from '../response/result-format.ts'
import type { ResultStream } from '../response/result-stream.ts'
import { PassthroughSubscription } from './passthrough-subscription.ts'
import type { SubscribedOperation } from './subscribed-operation.ts'

/** A client's subscription. */
export class GraphQLSubscription<Data, Variables> {
  /** The client's id of the operation over a WebSocket; otherwise the id of the request. */
  readonly id: string
  readonly query: string
  readonly variables: Variables
  readonly extensions: Record<string, unknown>
  readonly #operation: SubscribedOperation<Variables>
  readonly #stream: ResultStream
  readonly #onUse: () => void
  readonly #report: (error: unknown) => void

  /**
   * @param onUse called when the resolver first uses the subscription: send the response now
   * @param report reports an error of the handler, and ends the subscription
   */
  constructor(
    operation: SubscribedOperation<Variables>,
    stream: ResultStream,
    onUse: () => void,
    report: (error: unknown) => void,
  ) {
    this.id = operation.id
    this.query = operation.query
    this.variables = operation.variables
    this.extensions = operation.extensions
    this.#operation = operation
    this.#stream = stream
    this.#onUse = onUse
    this.#report = report
  }

  /**
   * Sends a result.
   *
   * @example
   * subscription.publish({ data: { messageAdded: { text: 'hello' } } })
   */
  publish(result: GraphQLResponseBody<Data>): void {
    this.#write('publish to', { type: 'next', payload: result })
  }

  /**
   * Sends one result for each item of a source, until the subscription ends.
   *
   * @example
   * await subscription.from(messages.map((messageAdded) => ({ messageAdded })))
   */
  async from(source: Iterable<Data> | AsyncIterable<Data>): Promise<void> {
    for await (const data of source) {
      if (this.#stream.isOver) return
      this.publish({ data })
      await this.#stream.room()
    }
  }

  /** Ends the subscription with errors. */
  error(errors: readonly GraphQLResultError[]): void {
    this.#write('fail', { type: 'error', payload: errors })
  }

  /** Ends the subscription. */
  complete(): void {
    this.#write('complete', { type: 'complete' })
  }

  /**
   * Subscribes at the real server. The client gets the server's messages, unless a listener calls `preventDefault()`.
   *
   * @example
   * const real = subscription.passthrough()
   * real.addEventListener('next', (event) => {
   *   event.preventDefault()
   *   subscription.publish({ data: { ...event.data.payload.data, patched: true } })
   * })
   */
  passthrough(): PassthroughSubscription {
    this.#onUse()
    return new PassthroughSubscription(this.#operation, this.#stream, this.#report)
  }

  #write(action: string, frame: ResultFrame): void {
    this.#onUse()
    if (this.#stream.write(frame)) return
    const { operationName } = this.#operation
    print.warn(
      'US0521',
      `Failed to ${action} the subscription ${operationName || '(anonymous)'}: the subscription has ended. ` +
        'Stop publishing in finalize(() => …).',
    )
  }
}
