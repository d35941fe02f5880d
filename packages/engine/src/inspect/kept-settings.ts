import type { LayerEntry } from '../core/handlers/handler-layers.ts'
import type { Override } from '../core/handlers/override.ts'
import type { Network } from '../core/network/network.ts'
import { toAppliedOverride, toPlainOverride } from './apply-override.ts'
import { keysOfHandlers } from './handler-keys.ts'
import { changeRecording, modeOf, type RecordingMode } from './recording.ts'
import { isBoolean, isListOf, isObjectOf, isOrNull, isText } from './shape.ts'
import { isOverride, isRecordingMode } from './shared-data.ts'

/** The settings of the handlers of one key; see {@link keysOfHandlers}. */
interface KeptSetting {
  readonly key: string
  readonly enabled: boolean
  readonly override: Override | null
}

interface Kept {
  readonly handlers: readonly KeptSetting[]
  readonly recording: RecordingMode | null
}

const isKept = isObjectOf<Kept>({
  handlers: isListOf(isObjectOf<KeptSetting>({ key: isText, enabled: isBoolean, override: isOrNull(isOverride) })),
  recording: isOrNull(isRecordingMode),
})

/**
 * Remembers which handlers of a network are disabled, and their overrides. Handlers that replace others (after an edit,
 * or in the page after a reload) get these settings when they are added, before any request. The same applies to a
 * recording in the page after a reload.
 */
export class KeptSettings {
  readonly #network: Network
  readonly #changed: (text: string) => void
  #settings: Map<string, KeptSetting>
  /** The handlers that have already got their settings. */
  #known = new Set<number>()
  #text: string
  #isApplying = false

  /**
   * @param text the stored text of an earlier page
   * @param changed called with the text to store; `''`: there is nothing to store
   */
  constructor(network: Network, text: string, changed: (text: string) => void = () => {}) {
    this.#network = network
    this.#changed = changed
    const { handlers, recording } = parse(text)
    this.#settings = new Map(handlers.map((setting) => [setting.key, setting]))
    if (recording) changeRecording(network, recording)
    this.#text = format(this.#settings, recording)
    network.onChange(() => this.#update())
    this.#update()
  }

  /** The current text to store; `''`: there is nothing to store. */
  get text(): string {
    return this.#text
  }

  /** Enables all handlers and removes their overrides. */
  reset(): void {
    this.#settings.clear()
    changeRecording(this.#network, null)
    this.#network.layers.change(this.#network.layers.entries(), { enabled: true, override: undefined })
  }

  #update(): void {
    if (this.#isApplying) return
    const { layers } = this.#network
    const entries = layers.entries()
    const keys = keysOfHandlers(entries.map(({ id, layer, handler }) => ({ id, layer, header: handler.info.header })))
    const keyOf = ({ id }: LayerEntry): string => keys.get(id) ?? ''
    const added = entries.filter(({ id }) => !this.#known.has(id))
    for (const entry of entries) if (this.#known.has(entry.id)) this.#note(keyOf(entry), entry)
    this.#known = new Set(entries.map(({ id }) => id))
    this.#isApplying = true
    for (const entry of added) {
      const setting = this.#settings.get(keyOf(entry))
      if (setting) layers.change([entry], { enabled: setting.enabled, override: toAppliedOverride(setting.override) })
    }
    this.#isApplying = false
    const text = format(this.#settings, modeOf(this.#network))
    if (text === this.#text) return
    this.#text = text
    this.#changed(text)
  }

  #note(key: string, { enabled, override }: LayerEntry): void {
    if (enabled && !override) this.#settings.delete(key)
    else this.#settings.set(key, { key, enabled, override: toPlainOverride(override) })
  }
}

/** The app can write to the same storage: a text of another shape counts as no settings. */
function parse(text: string): Kept {
  try {
    const kept: unknown = JSON.parse(text)
    if (isKept(kept)) return kept
  } catch {
    // The text is not JSON.
  }
  return { handlers: [], recording: null }
}

function format(settings: ReadonlyMap<string, KeptSetting>, recording: RecordingMode | null): string {
  if (settings.size === 0 && !recording) return ''
  return JSON.stringify({ handlers: [...settings.values()], recording } satisfies Kept)
}
