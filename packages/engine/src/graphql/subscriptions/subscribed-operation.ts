import type { ResultFrame } from './result-format.ts'

/** What a subscription is of. */
export interface SubscribedOperation<Variables> {
  readonly id: string
  readonly operationName: string
  readonly query: string
  readonly variables: Variables
  readonly extensions: Record<string, unknown>
  /** Has the server perform the subscription. */
  perform(signal: AbortSignal): AsyncIterable<ResultFrame>
}
