type ForFirefox = typeof import('./firefox.ts')

let loaded: ForFirefox | undefined

/** Loads the code that only Firefox needs. Returns `undefined` in other browsers. */
export async function loadForFirefox(): Promise<ForFirefox | undefined> {
  if ('mozInnerScreenX' in globalThis) loaded = await import('./firefox.ts')
  return loaded
}

/** Returns what {@link loadForFirefox} has loaded. */
export function getForFirefox(): ForFirefox | undefined {
  return loaded
}
