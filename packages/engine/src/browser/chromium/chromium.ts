/** The code that only Chromium needs. Other browsers do not load it. */
import type { Network } from '../../core/network/network.ts'
import type { Natives } from '../gate/gate.ts'
import { watchPictures } from './watch-pictures.ts'
import { watchWorkers } from './watch-workers.ts'
import { replaceStreams } from './web-socket-streams.ts'

/** What {@link startForChromium} has started. */
interface ChromiumSource {
  /** The classes that create web workers. */
  readonly workers: Pick<Natives, 'Worker' | 'SharedWorker'>
  readonly stop: () => void
}

export function startForChromium(network: Network): ChromiumSource {
  const ends = [replaceStreams(network), watchPictures(network)]
  return {
    workers: watchWorkers(network),
    stop() {
      for (const end of ends) end()
    },
  }
}
