/**
 * Returns the document of a page that the browser prerenders; `undefined` if it shows the page, or has no document.
 *
 * @see https://wicg.github.io/nav-speculation/prerendering.html
 */
export function prerenderedDocument(scope: object): Document | undefined {
  // TypeScript does not know the property.
  const { document } = scope as { document?: Document & { readonly prerendering?: boolean } }
  return document?.prerendering ? document : undefined
}
