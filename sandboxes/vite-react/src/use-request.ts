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
 * Sends a request when the component appears, and again when `key` changes. Aborts a request that is no longer needed.
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
    // In Strict Mode, React runs this effect twice. Wait a microtask, so that only one request is sent.
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
