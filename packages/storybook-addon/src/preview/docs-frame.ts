/** The frame of a docs page that this page is in. */
export function docsFrame(): Element | undefined {
  return addressOfDocs() === undefined ? undefined : (globalThis.frameElement ?? undefined)
}

/** The address of the docs page that this page is a frame of. */
export function addressOfDocs(): string | undefined {
  try {
    const { parent } = globalThis as unknown as Window
    const isOnDocs = new URLSearchParams(parent.location.search).get('viewMode') === 'docs'
    return parent !== window && isOnDocs ? parent.location.href : undefined
  } catch {
    // Somebody else's page shows this one.
    return undefined
  }
}
