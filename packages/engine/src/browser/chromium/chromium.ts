/** The code that only Chromium needs. Other browsers do not load it. */
import type { Network } from '../../core/network/network.ts'
import { watchPictures } from './watch-pictures.ts'
import { replaceStreams } from './web-socket-streams.ts'

/** @returns a function that ends this */
export function startForChromium(network: Network): () => void {
  const ends = [replaceStreams(network), watchPictures(network)]
  return () => {
    for (const end of ends) end()
  }
}
