/** Loads the code that only Firefox needs. Returns `undefined` in other browsers. */
export async function loadForFirefox(): Promise<typeof import('./firefox.ts') | undefined> {
  return 'mozInnerScreenX' in globalThis ? import('./firefox.ts') : undefined
}
