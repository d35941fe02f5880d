import * as React from 'react'

const readHash = (): string => location.hash.slice(1)

/** The URL's hash, without `#`. Setting it adds no history entry, because a setting is not a place to go back to. */
export function useHash(): readonly [hash: string, setHash: (hash: string) => void] {
  const [hash, setHash] = React.useState(readHash)
  React.useEffect(() => {
    const update = (): void => setHash(readHash())
    addEventListener('hashchange', update)
    return () => removeEventListener('hashchange', update)
  }, [])
  const change = React.useCallback((next: string): void => {
    history.replaceState(null, '', next ? `#${next}` : location.pathname + location.search)
    setHash(next)
  }, [])
  return [hash, change]
}
