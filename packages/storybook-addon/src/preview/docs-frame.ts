/** The frame of a docs page that this page is in. */
export function docsFrame(): Element | undefined {
  return addressOfDocs() === undefined ? undefined : (globalThis.frameElement ?? undefined)
}

/** The address of the docs page that this page is a frame of. */
function addressOfDocs(): string | undefined {
  try {
    const { parent } = globalThis as unknown as Window
    const isOnDocs = new URLSearchParams(parent.location.search).get('viewMode') === 'docs'
    return parent !== window && isOnDocs ? parent.location.href : undefined
  } catch {
    // A page of another origin embeds this one.
    return undefined
  }
}

/**
 * The address that people open and share: the manager's, where it is of this origin. Messages of any window can have
 * Storybook change the address of a built preview.
 */
export function addressOfManager(): string {
  let top: Window = window
  for (;;) {
    const { parent } = top
    if (parent === top) return top.location.href
    try {
      if (parent.location.origin !== location.origin) return top.location.href
    } catch {
      // A page of another origin shows this one.
      return top.location.href
    }
    top = parent
  }
}
