import { useEffect, useState } from 'react'

type Loaded<Value> = { state: 'loading' } | { state: 'done'; value: Value } | { state: 'failed'; reason: string }

export function useLoaded<Value>(load: (signal: AbortSignal) => Promise<Value>): Loaded<Value> {
  const [loaded, setLoaded] = useState<Loaded<Value>>({ state: 'loading' })
  useEffect(() => {
    const controller = new AbortController()
    load(controller.signal).then(
      (value) => setLoaded({ state: 'done', value }),
      (error: Error) => {
        if (!controller.signal.aborted) setLoaded({ state: 'failed', reason: error.message })
      },
    )
    return () => controller.abort()
  }, [load])
  return loaded
}
