/** Returns the frame of a docs page that contains this page. */
export function docsFrame(): Element | undefined {
  return addressOfDocs() === undefined ? undefined : (globalThis.frameElement ?? undefined)
}

/** Returns the URL of the docs page whose frame contains this page. */
function addressOfDocs(): string | undefined {
  try {
    const { parent } = globalThis as unknown as Window
    const isOnDocs = new URLSearchParams(parent.location.search).get('viewMode') === 'docs'
    return parent !== window && isOnDocs ? parent.location.href : undefined
  } catch {
    // A page of another origin embeds this page.
    return undefined
  }
}

/**
 * Returns the URL that people open and share: the manager's, if it has the same origin. The URL of a built preview is
 * not safe, because any window can make Storybook change it with a message.
 */
export function addressOfManager(): string {
  let top: Window = window
  for (;;) {
    const { parent } = top
    if (parent === top) return top.location.href
    try {
      if (parent.location.origin !== location.origin) return top.location.href
    } catch {
      // A page of another origin embeds this page.
      return top.location.href
    }
    top = parent
  }
}
