/** A page that a backend prints: it brings neither gate nor engine. It posts what its requests got. */
const printedPage = `<!doctype html><title>Printed</title><body><img src="/api/image"><script>
  const image = document.querySelector('img')
  const width = image.decode().then(() => image.naturalWidth, () => 'error')
  const user = fetch('/api/user').then((response) => response.json()).then(({ from }) => from, String)
  Promise.all([user, width]).then((answers) => (window.opener ?? window.parent).postMessage({ answers }, '*'))
</script>`

export const printedPages: Readonly<Record<string, string>> = { '/api/printed': printedPage }

/** The frames, pop-ups and workers that the fixture `documents` can make. */
export const frameKinds = [
  'srcdoc',
  'blank',
  'blob',
  'printed',
  'sandboxed',
  'sandboxed and printed',
  'nested',
  'pop-up',
  'printed pop-up',
  'nested worker',
] as const

export type FrameKind = (typeof frameKinds)[number]

/**
 * What a browser does not let a service worker control, so that nobody answers there: see docs/browser.md.
 */
export const uncontrolledKinds: Readonly<Record<'chromium' | 'firefox', readonly FrameKind[]>> = {
  chromium: ['blank', 'blob', 'pop-up'],
  firefox: ['sandboxed', 'pop-up'],
}
