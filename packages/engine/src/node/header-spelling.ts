/** Under what the interceptors keep how headers are spelt; nothing while they do not. */
function spellingKey(headers: Headers): symbol | undefined {
  return Object.getOwnPropertySymbols(headers).find(({ description }) => description === 'kRawHeaders')
}

/**
 * The interceptors record how headers are spelt, and make copies of what they recorded. They begin at the first change:
 * headers of a `Request` or `Response` class that somebody took before interception began would lose in each copy
 * whatever they had until then. Recording begins with that here. Disposing of the interceptors ends this too.
 */
export function recordSpellingFromTheStart(): void {
  const { prototype } = Headers
  const key = spellingKey(new Headers())
  if (!key) return
  for (const name of ['set', 'append'] as const) {
    const record = Reflect.get(prototype, name) as (this: Headers, ...args: unknown[]) => void
    Reflect.set(prototype, name, function (this: Headers, ...args: unknown[]): void {
      if (!Reflect.has(this, key)) Object.defineProperty(this, key, { value: [...this], configurable: true })
      Reflect.apply(record, this, args)
    })
  }
}

/** A header as it was sent, where the page's class of headers hides it from scripts (`Origin`, in happy-dom). */
export function sentHeader(headers: Headers, name: string): string | null {
  const key = spellingKey(headers)
  const sent = (key && Reflect.get(headers, key)) as readonly (readonly [string, string])[] | undefined
  return headers.get(name) ?? sent?.find(([spelling]) => spelling.toLowerCase() === name)?.[1] ?? null
}
