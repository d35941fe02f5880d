import type { RecordingMode } from '@understudy/engine/inspect'

import type { PanelHost, PanelState } from '../panel-host.ts'

/** The properties of the panel's settings text. No handler has one of these keys, because a key ends with a header. */
const properties = { page: 'record', server: 'server record' } as const

type Place = keyof typeof properties

/**
 * Stores the recording mode in the panel's settings text. A new page without a recording gets the mode of the text.
 * From then on, the text follows the page.
 */
export class RecordingKeeper {
  #modes: Map<Place, RecordingMode>
  readonly #onError: (error: unknown) => void
  /** The number of pending commands, by host. The state of a page is outdated until they are done. */
  readonly #underWay = new WeakMap<PanelHost, number>()

  constructor(text: string, onError: (error: unknown) => void) {
    this.#modes = readModes(text)
    this.#onError = onError
  }

  update(host: PanelHost, state: PanelState): void {
    if (!host.record) return
    const place = placeOf(state)
    const underWay = this.#underWay.get(host)
    this.#underWay.set(host, underWay ?? 0)
    if (underWay === undefined && !state.recording) this.#apply(host, place)
    else if (!underWay) set(this.#modes, place, state.recording)
  }

  /** Reads the modes of another text. An existing page gets its mode at once. */
  replace(text: string, host: PanelHost, state: PanelState | null): void {
    this.#modes = readModes(text)
    if (state && this.#modes.get(placeOf(state)) !== state.recording) this.#apply(host, placeOf(state))
  }

  /** Returns the settings text with the modes. */
  addTo(text: string): string {
    const params = new URLSearchParams([...this.#modes].map(([place, mode]) => [properties[place], mode]))
    return [text, params].filter((part) => String(part) !== '').join('&')
  }

  #apply(host: PanelHost, place: Place): void {
    const mode = this.#modes.get(place) ?? null
    if (!host.record || (host.getState()?.recording ?? null) === mode) return
    const count = (change: number): void => void this.#underWay.set(host, (this.#underWay.get(host) ?? 0) + change)
    count(1)
    host
      .record(mode)
      .catch(this.#onError)
      .finally(() => count(-1))
  }
}

function placeOf({ info }: PanelState): Place {
  return info.isServer ? 'server' : 'page'
}

function readModes(text: string): Map<Place, RecordingMode> {
  const params = new URLSearchParams(text)
  const modes = new Map<Place, RecordingMode>()
  for (const place of ['page', 'server'] as const) {
    const mode = params.get(properties[place])
    if (mode === 'all' || mode === 'unmatched') modes.set(place, mode)
  }
  return modes
}

function set(modes: Map<Place, RecordingMode>, place: Place, mode: RecordingMode | undefined): void {
  if (mode) modes.set(place, mode)
  else modes.delete(place)
}
