import type { InspectedHandler } from '@understudy/engine/inspect'

import type { PanelHost, PanelState } from '../panel-host.ts'
import { RecordingKeeper } from '../recording/recording-keeper.ts'
import { ScenarioKeeper } from './scenario-keeper.ts'
import { formatSettings, keysOfHandlers, parseSettings, type Setting } from './settings.ts'

/** The handlers of one network that have got their settings, with the number of pending commands for each. */
type Pending = Map<number, number>

/**
 * Synchronizes disabled handlers and overrides with a text. When a handler is added (after a reload, an edit, or in
 * another story), it gets its settings from the text. From then on, the text follows the handler.
 */
export class SettingsKeeper {
  #settings: Map<string, Setting>
  #text: string
  readonly #scenario: ScenarioKeeper
  readonly #recording: RecordingKeeper
  readonly #onError: (error: unknown) => void
  /** By host, because ids are valid in only one network. */
  readonly #pending = new WeakMap<PanelHost, Pending>()

  /** @param onError called with the error of each failed command */
  constructor(text: string, onError: (error: unknown) => void) {
    this.#settings = new Map(parseSettings(text))
    this.#text = text
    this.#scenario = new ScenarioKeeper(text, onError)
    this.#recording = new RecordingKeeper(text, onError)
    this.#onError = onError
  }

  /** @returns the text, if it has changed */
  update(host: PanelHost, state: PanelState): string | undefined {
    const pending = this.#pendingOf(host)
    const keys = keysOfHandlers(state)
    for (const handler of state.handlers) {
      const key = keys.get(handler.id) ?? ''
      const commands = pending.get(handler.id)
      if (commands === undefined) this.#apply(host, handler, this.#settings.get(key))
      // While commands are pending, the state of the handler is outdated.
      else if (commands === 0) this.#note(key, handler)
    }
    this.#scenario.update(host, state)
    this.#recording.update(host, state)
    const text = this.#recording.addTo(this.#scenario.addTo(formatSettings(this.#settings)))
    if (text === this.#text) return undefined
    this.#text = text
    return text
  }

  /** Replaces the text. Existing handlers get the new settings at once. */
  replace(text: string, host: PanelHost, state: PanelState | null): void {
    if (text === this.#text) return
    this.#text = text
    this.#settings = new Map(parseSettings(text))
    this.#scenario.replace(text, host, state)
    this.#recording.replace(text, host, state)
    const keys = state ? keysOfHandlers(state) : new Map<number, string>()
    for (const handler of state?.handlers ?? []) {
      this.#apply(host, handler, this.#settings.get(keys.get(handler.id) ?? '') ?? { enabled: true, override: null })
    }
  }

  /** Changes a handler for the developer. The setting applies at once, and to handlers that replace this one. */
  async change(host: PanelHost, id: number, change: Partial<Setting>): Promise<void> {
    const state = host.getState()
    const handler = state?.handlers.find((candidate) => candidate.id === id)
    const key = state ? keysOfHandlers(state).get(id) : undefined
    if (handler && key !== undefined) {
      const { enabled, override } = { ...handler, ...this.#settings.get(key), ...change }
      this.#note(key, { enabled, override })
    }
    try {
      await this.#send(host, id, change)
    } catch (error) {
      // An edit may have replaced the handler before the command arrived.
      const successor = key === undefined ? undefined : findByKey(host.getState(), key)
      if (successor === undefined || successor === id) throw error
      await this.change(host, successor, change)
    }
  }

  #apply(host: PanelHost, handler: InspectedHandler, setting: Setting | undefined): void {
    const change: Partial<Setting> = {
      ...(setting && setting.enabled !== handler.enabled && { enabled: setting.enabled }),
      ...(setting && !isSame(setting.override, handler.override) && { override: setting.override }),
    }
    this.#send(host, handler.id, change).catch(this.#onError)
  }

  async #send(host: PanelHost, id: number, { enabled, override }: Partial<Setting>): Promise<void> {
    const pending = this.#pendingOf(host)
    const count = (change: number): void => void pending.set(id, (pending.get(id) ?? 0) + change)
    const commands = [
      ...(enabled === undefined ? [] : [host.setEnabled(id, enabled)]),
      ...(override === undefined ? [] : [host.override(id, override)]),
    ]
    if (commands.length === 0) {
      count(0)
      return
    }
    count(1)
    try {
      await Promise.all(commands)
    } finally {
      count(-1)
    }
  }

  #note(key: string, { enabled, override }: Setting): void {
    if (enabled && !override) this.#settings.delete(key)
    else this.#settings.set(key, { enabled, override })
  }

  #pendingOf(host: PanelHost): Pending {
    const pending: Pending = this.#pending.get(host) ?? new Map<number, number>()
    this.#pending.set(host, pending)
    return pending
  }
}

/** Returns the current id of the handler with a key. */
function findByKey(state: PanelState | null, key: string): number | undefined {
  const keys = state ? keysOfHandlers(state) : new Map<number, string>()
  return Array.from(keys).find(([, candidate]) => candidate === key)?.[0]
}

function isSame(first: Setting['override'], second: Setting['override']): boolean {
  return (
    first?.status === second?.status &&
    first?.delay === second?.delay &&
    Boolean(first?.networkError) === Boolean(second?.networkError) &&
    first?.body === second?.body &&
    first?.bodyEncoding === second?.bodyEncoding &&
    JSON.stringify(first?.headers) === JSON.stringify(second?.headers)
  )
}
