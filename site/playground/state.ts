import type { PlaygroundRequest } from './messages.ts'

/** The state of the playground in a link. */
export interface PlaygroundState {
  readonly code: string
  readonly request: PlaygroundRequest
}

const kinds: readonly unknown[] = ['fetch', 'xhr', 'graphql', 'event-source', 'websocket']

/** Formats the state for a URL's hash: JSON in Base64, with the alphabet for URLs. */
export function formatState({ code, request }: PlaygroundState): string {
  const bytes = new TextEncoder().encode(JSON.stringify({ code, request }))
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}

/** Parses the text of {@link formatState}. Returns `undefined` for other texts. */
export function parseState(text: string): PlaygroundState | undefined {
  try {
    const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
    const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0))
    const { code, request } = JSON.parse(new TextDecoder().decode(bytes)) as Partial<PlaygroundState>
    const { kind, method, url, body } = (request ?? {}) as Partial<PlaygroundRequest>
    const texts = [code, method, url, body]
    if (!kinds.includes(kind) || !texts.every((value) => typeof value === 'string')) return undefined
    return { code, request: { kind, method, url, body } } as PlaygroundState
  } catch {
    return undefined
  }
}
