import { useEffect, useState } from 'react'

export type Loaded<Value> =
  | { readonly state: 'loading' }
  | { readonly state: 'ready'; readonly value: Value }
  | { readonly state: 'failed'; readonly reason: string }

/** Loads a value when its key changes. Results for an older key are dropped. */
export function useLoaded<Value>(key: string, load: (key: string) => Promise<Value>): Loaded<Value> {
  const [loaded, setLoaded] = useState<Loaded<Value>>({ state: 'loading' })
  useEffect(() => {
    let isCurrent = true
    setLoaded({ state: 'loading' })
    load(key).then(
      (value) => isCurrent && setLoaded({ state: 'ready', value }),
      (error: Error) => isCurrent && setLoaded({ state: 'failed', reason: error.message }),
    )
    return () => {
      isCurrent = false
    }
  }, [key, load])
  return loaded
}
