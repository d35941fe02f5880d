import {
  keysOfHandlers as keysByLayer,
  type HandlerLabel,
  type InspectedHandler,
  type Override,
} from '@understudy/engine/inspect'

import { isOverridden } from '../overrides/is-overridden.ts'
import type { PanelState } from '../panel-host.ts'

/**
 * The maximum number of characters of an edited response in the URL. Above this limit, only the tab keeps the setting.
 */
const editLimit = 100_000

/** The settings of one handler: whether it is enabled, and its override. */
export interface Setting {
  readonly enabled: boolean
  readonly override: Override | null
}

/** Settings by the keys of their handlers; see {@link keysOfHandlers}. */
export type Settings = ReadonlyMap<string, Setting>

/** The part of a network's state that determines keys: handlers in the order in which they answer, and their labels. */
interface KeyedHandlers {
  readonly handlers: readonly Pick<InspectedHandler, 'id' | 'layer' | 'header'>[]
  readonly info: { readonly labels: readonly HandlerLabel[]; readonly isServer?: boolean }
}

/**
 * Returns keys that identify handlers in another run of the app. They contain the host's names of layers. Handlers of a
 * server and of a page have different keys.
 *
 * @returns keys by ids: `'initial GET /user/:id'`, `'server initial GET /user/:id'`
 */
export function keysOfHandlers({ handlers, info }: KeyedHandlers): ReadonlyMap<number, string> {
  const labels = new Map(info.labels.map((label) => [label.id, label]))
  const place = info.isServer ? 'server ' : ''
  return keysByLayer(
    handlers.map(({ id, layer, header }) => ({ id, header, layer: place + (labels.get(id)?.layer ?? layer) })),
  )
}

/** Returns the current settings. */
export function readSettings(state: PanelState): Settings {
  const keys = keysOfHandlers(state)
  return new Map(
    state.handlers
      .filter((handler) => isOverridden(handler))
      .map(({ id, enabled, override }) => [keys.get(id) ?? '', { enabled, override }]),
  )
}

/**
 * Formats settings as text for a URL's query or hash: `initial+GET+%2Fuser=503.delay-2000`. Without settings, the text
 * is `''`.
 *
 * @example
 * location.hash = formatSettings(readSettings(state))
 */
export function formatSettings(settings: Settings): string {
  const params = new URLSearchParams()
  for (const [key, { enabled, override }] of settings) {
    const edit = formatEdit(override)
    // Leave out the whole setting, because a part of it would replace the stored one.
    if (edit.length > editLimit) continue
    const words = [
      ...(enabled ? [] : ['off']),
      ...(override?.networkError ? ['error'] : []),
      ...(override?.status === undefined ? [] : [String(override.status)]),
      ...(override?.delay === undefined ? [] : [`delay-${override.delay}`]),
      ...(edit === '' ? [] : [`edit-${edit}`]),
    ]
    if (words.length > 0) params.append(key, words.join('.'))
  }
  return params.toString()
}

/** Parses the text of `formatSettings`. Ignores unknown words, because links may come from other versions. */
export function parseSettings(text: string): Settings {
  const settings = new Map<string, Setting>()
  for (const [key, words] of new URLSearchParams(text)) {
    const setting = parseSetting(words.split('.'))
    if (setting) settings.set(key, setting)
  }
  return settings
}

function parseSetting(words: readonly string[]): Setting | undefined {
  const status = Number(words.find((word) => /^[2-5]\d\d$/.test(word)))
  const delay = Number(words.find((word) => /^delay-\d{1,9}$/.test(word))?.slice('delay-'.length))
  const override: Override = {
    ...(status > 0 && { status }),
    ...(delay > 0 && { delay }),
    ...(words.includes('error') && { networkError: true }),
    ...parseEdit(words.find((word) => word.startsWith('edit-'))?.slice('edit-'.length)),
  }
  const enabled = !words.includes('off')
  const hasOverride = Object.keys(override).length > 0
  return enabled && !hasOverride ? undefined : { enabled, override: hasOverride ? override : null }
}

/** Formats headers and a body as one word: JSON in Base64, with the alphabet for URLs. */
function formatEdit(override: Override | null): string {
  const { headers, body, bodyEncoding } = override ?? {}
  if (headers === undefined && body === undefined) return ''
  const bytes = new TextEncoder().encode(JSON.stringify({ headers, body, bodyEncoding }))
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

/** Parses a word. Ignores a word that is not valid. */
function parseEdit(word: string | undefined): Pick<Override, 'headers' | 'body' | 'bodyEncoding'> {
  if (!word) return {}
  try {
    const binary = atob(word.replaceAll('-', '+').replaceAll('_', '/'))
    const edit: unknown = JSON.parse(new TextDecoder().decode(Uint8Array.from(binary, (char) => char.charCodeAt(0))))
    const { headers, body, bodyEncoding } = edit as { headers?: unknown; body?: unknown; bodyEncoding?: unknown }
    return {
      ...(isHeaderList(headers) && { headers }),
      ...(typeof body === 'string' && { body, ...(bodyEncoding === 'base64' && { bodyEncoding }) }),
    }
  } catch {
    return {}
  }
}

function isHeaderList(headers: unknown): headers is [string, string][] {
  if (!Array.isArray(headers) || !headers.every((pair) => Array.isArray(pair) && pair.length === 2)) return false
  // The constructor throws for names and values that are not valid.
  new Headers(headers as [string, string][])
  return headers.flat().every((part) => typeof part === 'string')
}
