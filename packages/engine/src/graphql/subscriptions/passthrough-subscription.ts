import { createAbortController } from '../../core/abort-controller.ts'
import { toError } from '../../core/network/thrown-error.ts'
import type { ResultFrame } from '../response/result-format.ts'
import type { ResultStream } from '../response/result-stream.ts'
import type { SubscribedOperation } from './subscribed-operation.ts'

/** A message of the server. */
export interface PassthroughEvent<Type extends ResultFrame['type'] = ResultFrame['type']> {
  readonly type: Type
  readonly data: Extract<ResultFrame, { type: Type }> & { readonly id: string }
  readonly defaultPrevented: boolean
  /** Prevents that the message is sent to the client. */
  preventDefault(): void
}

type Listener = (event: never) => unknown

/** A subscription at the real server. */
export class PassthroughSubscription {
  readonly #listeners = new Map<string, Set<Listener>>()
  readonly #controller = createAbortController()
  readonly #report: (error: unknown) => void

  /** @param report reports the error that a listener threw, and ends the client's subscription */
  constructor(operation: SubscribedOperation<unknown>, stream: ResultStream, report: (error: unknown) => void) {
    this.#report = report
    stream.onEnd(() => this.#controller.abort())
    void this.#forward(operation, stream)
  }

  /**
   * Adds a listener for the server's results (`next`), for errors that end the subscription (`error`), or for its end
   * (`complete`).
   */
  addEventListener<Type extends ResultFrame['type']>(
    type: Type,
    listener: (event: PassthroughEvent<Type>) => unknown,
  ): void {
    const listeners = this.#listeners.get(type) ?? new Set()
    this.#listeners.set(type, listeners.add(listener))
  }

  /** Ends the subscription at the server. The client's subscription continues. */
  unsubscribe(): void {
    this.#controller.abort()
    this.#listeners.clear()
  }

  async #forward(operation: SubscribedOperation<unknown>, stream: ResultStream): Promise<void> {
    const { signal } = this.#controller
    const deliver = (frame: ResultFrame): void => {
      if (!signal.aborted && this.#dispatch(operation.id, frame)) stream.write(frame)
    }
    try {
      for await (const frame of operation.perform(signal)) deliver(frame)
    } catch (error) {
      deliver({ type: 'error', payload: [{ message: toError(error).message }] })
    }
  }

  /** Returns whether the message is to reach the client. */
  #dispatch(id: string, frame: ResultFrame): boolean {
    let defaultPrevented = false
    const event = {
      type: frame.type,
      data: { ...frame, id },
      get defaultPrevented() {
        return defaultPrevented
      },
      preventDefault() {
        defaultPrevented = true
      },
    }
    for (const listener of this.#listeners.get(frame.type) ?? []) {
      try {
        // A promise of another realm (jsdom, `node:vm`) is not an instance of this realm's class.
        Promise.resolve(listener(event as never)).catch(this.#report)
      } catch (error) {
        this.#report(error)
      }
    }
    return !defaultPrevented
  }
}
