import { useEffect, useEffectEvent, useState } from 'react'

export type RequestState<Data> =
  | { status: 'loading' }
  | { status: 'loaded'; data: Data }
  | { status: 'failed'; error: unknown }

export interface RequestHandle<Data> {
  state: RequestState<Data>
  /** Sends the request again. */
  retry: () => void
}

/**
 * Loads when the component appears, and again when `key` changes; what is no longer wanted is aborted.
 *
 * @example const { state, retry } = useRequest(id, (signal) => getPlay(id, signal))
 */
export function useRequest<Data>(key: string, load: (signal: AbortSignal) => Promise<Data>): RequestHandle<Data> {
  const [attempt, setAttempt] = useState(1)
  const [settled, setSettled] = useState<{ run: string; state: RequestState<Data> }>()
  const run = `${key} ${attempt}`
  const onRun = useEffectEvent(load)

  useEffect(() => {
    const controller = new AbortController()
    const settle = (state: RequestState<Data>): void => {
      if (!controller.signal.aborted) setSettled({ run, state })
    }
    // A microtask later, Strict Mode has ended its rehearsal of this effect: one request is sent, not two.
    queueMicrotask(() => {
      if (controller.signal.aborted) return
      onRun(controller.signal).then(
        (data) => settle({ status: 'loaded', data }),
        (error: unknown) => settle({ status: 'failed', error }),
      )
    })
    return () => controller.abort()
  }, [run])

  return {
    state: settled?.run === run ? settled.state : { status: 'loading' },
    retry: () => setAttempt((previous) => previous + 1),
  }
}
