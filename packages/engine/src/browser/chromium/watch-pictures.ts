import type { Network } from '../../core/network/network.ts'

/**
 * Reports a request of a picture-in-picture window of a document, if a handler could match it: no service worker controls these
 * windows.
 *
 * @returns a function that ends this
 */
export function watchPictures(network: Network): () => void {
  const { documentPictureInPicture: pictures } = globalThis as { documentPictureInPicture?: EventTarget }
  const onEnter = ({ window }: Event & { readonly window?: Window }): void => {
    import('../reports/report-escaped.ts').then(
      ({ watchFrame }) => watchFrame(window ?? null, network),
      () => {},
    )
  }
  pictures?.addEventListener('enter', onEnter)
  return () => pictures?.removeEventListener('enter', onEnter)
}
