import type { Network } from '../../core/network/network.ts'
import { wrapProperty } from '../gate/wrap-property.ts'

/**
 * Reports requests from frames and pop-ups that no service worker controls and that a handler could match.
 *
 * @returns a function that ends this
 */
export function watchFrames(network: Network): () => void {
  const watch = (frame: Window | null): void => {
    import('../reports/report-escaped.ts').then(
      ({ watchFrame }) => watchFrame(frame, network),
      () => {},
    )
  }
  const onLoad = ({ target }: Event): void => {
    if (target instanceof HTMLIFrameElement) watch(target.contentWindow)
  }
  document.addEventListener('load', onLoad, true)
  // Frames that a script has created before. They may not have loaded.
  for (let index = 0; index < frames.length; index += 1) watch(frames[index] ?? null)
  const popUps = wrapProperty(globalThis, 'open', {
    call(_self, _args, native) {
      const popUp = native() as Window | null
      if (popUp) watch(popUp)
      return popUp
    },
  })
  popUps?.hold()
  return () => {
    document.removeEventListener('load', onLoad, true)
    popUps?.release(popUps.original)
  }
}
