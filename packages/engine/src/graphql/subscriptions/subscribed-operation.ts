import type { ResultFrame } from '../response/result-format.ts'

/** The operation of a subscription. */
export interface SubscribedOperation<Variables> {
  readonly id: string
  readonly operationName: string
  readonly query: string
  readonly variables: Variables
  readonly extensions: Record<string, unknown>
  /** Sends the subscription to the real server, and iterates over its results. */
  perform(signal: AbortSignal): AsyncIterable<ResultFrame>
}
