/** The observed values, by property. */
export type Seen = Record<string, unknown>

/** @param at returns the URL of an endpoint */
export type Probe = (at: (path: string) => string) => Promise<Seen> | Seen

/** Headers of a connection, and of its server. */
export const hopByHop: readonly string[] = ['connection', 'keep-alive', 'transfer-encoding', 'date']

export const wait = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds))

export const nameOf = (error: unknown): string =>
  error instanceof Error ? `${error.name}: ${error.message}` : String(error)

/** Creates a probe for each of several values. */
export const each = <Value>(
  values: readonly Value[],
  name: (value: Value) => string,
  probe: (value: Value) => Probe,
): Record<string, Probe> => Object.fromEntries(values.map((value) => [name(value), probe(value)]))

export function describe(value: unknown): unknown {
  if (value instanceof ArrayBuffer) return `ArrayBuffer ${[...new Uint8Array(value)].join()}`
  if (value instanceof Blob) return `Blob ${value.size} ${value.type}`
  if (value instanceof Document) return `Document ${value.contentType} ${new XMLSerializer().serializeToString(value)}`
  return value
}

export const bodies: Readonly<Record<string, () => BodyInit>> = {
  text: () => 'the body',
  blob: () => new Blob(['the body'], { type: 'text/x-own' }),
  buffer: () => new TextEncoder().encode('the body').buffer,
  'URL parameters': () => new URLSearchParams({ a: '1' }),
  form: () => {
    const form = new FormData()
    form.set('a', '1')
    return form
  },
}
