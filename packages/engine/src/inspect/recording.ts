import { modeOfApp } from '../core/network/document-request.ts'
import type { Network, Recording } from '../core/network/network.ts'
import type { Decision } from '../core/network/outcome.ts'
import { isCommonAssetRequest } from '../core/unhandled/is-common-asset-request.ts'

/** Which requests are recorded: those that no handler matches, or all. */
export type RecordingMode = 'unmatched' | 'all'

/**
 * Starts recording, or ends it: requests go to the network without warnings, and are marked in the log.
 *
 * @param mode `null` ends it
 */
export function changeRecording(network: Network, mode: RecordingMode | null): void {
  if (mode === modeOf(network)) return
  network.recording = mode === null ? undefined : { ...silentPolicy, passesAll: mode === 'all' }
  // Notifies listeners.
  network.layers.change([], {})
}

/** Returns which requests are recorded now; `null` if none are. */
export function modeOf({ recording }: Network): RecordingMode | null {
  if (!recording) return null
  return recording.passesAll ? 'all' : 'unmatched'
}

/** Returns whether a request went to the network because of the recording, and can have a handler. */
export function isRecorded({ recording, pages }: Network, { request, outcome: { type } }: Decision): boolean {
  if (!recording || isCommonAssetRequest(request)) return false
  if (modeOfApp({ fullRequest: request, url: new URL(request.url) }, pages)) return false
  return type === 'unhandled' || (recording.passesAll && type === 'passthrough')
}

const silentPolicy: Omit<Recording, 'passesAll'> = {
  decides: false,
  fails: false,
  isSilent: true,
  apply: async () => {},
}
