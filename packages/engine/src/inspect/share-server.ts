import type { HandlersControl } from '../core/network/network.ts'
import { inspect } from './inspect.ts'
import { toInspectionPort } from './inspection-port.ts'
import { KeptSettings } from './kept-settings.ts'
import { labelsOfGroups } from './labels.ts'
import { shareInspection } from './share-inspection.ts'

/**
 * Lets panels see the requests of a process that renders pages. Settings of handlers also apply to the handlers that
 * replace them.
 *
 * @param channelName the name of the `BroadcastChannel`, which connects this process and its threads
 * @returns a function that stops sharing
 */
export function shareServer(server: Pick<HandlersControl, '~network'>, channelName: string): () => void {
  const { '~network': network } = server
  const channel = new BroadcastChannel(channelName)
  // The channel must not keep the process running.
  if ('unref' in channel) (channel as { unref(): void }).unref()
  new KeptSettings(network, '')
  const shared = shareInspection(inspect(server), toInspectionPort(channel), {
    describe: () => ({ title: 'Dev server', isServer: true, labels: labelsOfGroups(network) }),
  })
  return () => {
    shared.stop()
    channel.close()
  }
}
