/** A part of a multipart body. */
export interface BodyPart {
  /** The name of the field; `null` if the part has none. */
  readonly name: string | null
  readonly fileName: string | null
  /** The Content-Type; `null` if the part has none. */
  readonly type: string | null
  /** The number of bytes that the body contains. */
  readonly size: number
  /** `null` if the part is not text. */
  readonly text: string | null
  /** Whether the end of the part is in the body. */
  readonly isComplete: boolean
}

/** The maximum number of parts. A form has fewer. */
const partsLimit = 1000

/**
 * Parses a multipart body. Source: RFC 2046, section 5.1.1, and RFC 7578.
 *
 * @param type the Content-Type, with the boundary
 * @param bytes one character for each byte, perhaps without the end
 * @returns `undefined` if the body does not have this form
 */
export function parseMultipart(type: string, bytes: string): readonly BodyPart[] | undefined {
  const [, quoted, plain] = /^multipart\/[^;]+;(?:.*;)?\s*boundary=(?:"([^"]+)"|([^\s;]+))/i.exec(type) ?? []
  const boundary = quoted ?? plain
  if (boundary === undefined) return undefined
  const delimiter = `\r\n--${boundary}`
  // The first delimiter may be at the start of the body, without a line break.
  const whole = `\r\n${bytes}`
  const parts: BodyPart[] = []
  let at = whole.indexOf(delimiter)
  while (at !== -1 && parts.length < partsLimit) {
    const start = at + delimiter.length
    if (whole.startsWith('--', start)) return parts
    const end = whole.indexOf(delimiter, start)
    const part = parsePart(whole.slice(start, end === -1 ? undefined : end), end !== -1)
    if (!part) break
    parts.push(part)
    at = end
  }
  return parts.length > 0 ? parts : undefined
}

/** @param text from the end of the delimiter on */
function parsePart(text: string, isComplete: boolean): BodyPart | undefined {
  const [line] = /^[ \t]*\r\n/.exec(text) ?? []
  // Without headers, the empty line follows the delimiter.
  const end = text.indexOf('\r\n\r\n', (line?.length ?? 0) - 2)
  if (line === undefined || end === -1) return undefined
  const headers = new Map(
    toText(text.slice(line.length, Math.max(line.length, end)))
      .split('\r\n')
      .map((header) => {
        const colon = header.indexOf(':')
        return [header.slice(0, colon).trim().toLowerCase(), header.slice(colon + 1).trim()] as const
      }),
  )
  const content = text.slice(end + 4)
  const disposition = headers.get('content-disposition') ?? ''
  const type = headers.get('content-type') ?? null
  return {
    name: readParameter(disposition, 'name'),
    fileName: readParameter(disposition, 'filename'),
    type,
    size: content.length,
    text: isText(type, content, isComplete) ? toText(content, isComplete) : null,
    isComplete,
  }
}

/** Browsers encode quotation marks and line breaks in names. Source: HTML, section "Multipart form data". */
function readParameter(header: string, name: string): string | null {
  const [, extended] = new RegExp(String.raw`;\s*${name}\*=utf-8'[^']*'([^\s;]+)`, 'i').exec(header) ?? []
  if (extended !== undefined) {
    try {
      return decodeURIComponent(extended)
    } catch {
      return extended
    }
  }
  const [, quoted, plain] = new RegExp(String.raw`;\s*${name}=(?:"((?:\\"|[^"])*)"|([^\s;"]+))`, 'i').exec(header) ?? []
  return quoted?.replaceAll(/\\"|%22/g, '"') ?? plain ?? null
}

function isText(type: string | null, content: string, isComplete: boolean): boolean {
  if (type !== null && /^(?:image\/(?!svg)|audio\/|video\/|font\/)/i.test(type)) return false
  // Text does not contain these control characters, and other bytes are rarely UTF-8.
  // oxlint-disable-next-line no-control-regex
  if (/[\0-\x08\x0e-\x1a\x1c-\x1f]/.test(content)) return false
  return !toText(content, isComplete).includes('\uFFFD')
}

/** Decodes UTF-8. If the text is not complete, a character that is cut at its end is left out. */
function toText(bytes: string, isComplete = true): string {
  return new TextDecoder().decode(
    Uint8Array.from(bytes, (char) => char.charCodeAt(0)),
    { stream: !isComplete },
  )
}
