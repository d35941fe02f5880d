import { bodyLimit } from '../handler-code/exchange.ts'
import type { ResponseDraft } from './response-draft.ts'

/** The maximum size of a file in bytes. The Base64 of more bytes could not be saved as a handler. */
const fileLimit = (bodyLimit / 4) * 3

/**
 * Returns the draft with the contents of a file as its body, and with the type of the file. Text stays editable.
 *
 * @throws {Error} if the file is too large
 */
export async function withFile(draft: ResponseDraft, file: File): Promise<ResponseDraft> {
  if (file.size > fileLimit) {
    throw new Error(
      `Failed to use ${file.name}: it has ${file.size.toLocaleString('en')} bytes, and a response can be edited with up to ${fileLimit.toLocaleString('en')}. Choose a smaller file. (US0832)`,
    )
  }
  const bytes = new Uint8Array(await file.arrayBuffer())
  const text = decode(bytes)
  return {
    ...draft,
    headers: file.type === '' ? draft.headers : withType(draft.headers, file.type),
    body: text,
    base64: text === null ? encode(bytes) : null,
  }
}

/** Returns `null` if the bytes are not text. */
function decode(bytes: Uint8Array): string | null {
  if (bytes.includes(0)) return null
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}

function encode(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
}

function withType(headers: string, type: string): string {
  const lines = headers.split('\n').filter((line) => line.trim() !== '' && !/^\s*content-type\s*:/i.test(line))
  return [`content-type: ${type}`, ...lines].join('\n')
}
