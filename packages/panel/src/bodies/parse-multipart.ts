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

/** The maximum number of parts that are shown. A form has fewer. */
export const partsLimit = 1000

/** A parameter of a header. What looks like a parameter in quotation marks is part of a value. */
const parameter = /;\s*([^=;\s]+)=(?:"((?:\\"|[^"])*)"|([^\s;"]+))/g

/**
 * Parses a multipart body. Source: RFC 2046, section 5.1.1, and RFC 7578.
 *
 * @param type the Content-Type, with the boundary
 * @param bytes one character for each byte, perhaps without the end
 * @returns at most one part more than is shown; `undefined` if the body does not have this form
 */
export function parseMultipart(type: string, bytes: string): readonly BodyPart[] | undefined {
  const [, quoted, plain] = /^multipart\/[^;]+;(?:.*;)?\s*boundary=(?:"([^"]+)"|([^\s;]+))/i.exec(type) ?? []
  const boundary = quoted ?? plain
  if (boundary === undefined) return undefined
  // Other lines only begin like a delimiter. The body may be cut in a delimiter.
  const delimiter = new RegExp(
    String.raw`\r\n--${boundary.replaceAll(/\W/g, String.raw`\$&`)}(?:(--)(?=\s|$)|[ \t]*(?=\r\n|\r?$))`,
  )
  // The first delimiter may be at the start of the body, without a line break. Before each part is the end of its delimiter.
  const [, ...pieces] = `\r\n${bytes}`.split(delimiter)
  const parts: BodyPart[] = []
  for (let index = 0; index < pieces.length && parts.length <= partsLimit; index += 2) {
    if (pieces[index]) return parts
    const part = parsePart(pieces[index + 1] ?? '', index + 2 < pieces.length)
    if (!part) break
    parts.push(part)
  }
  return parts.length > 0 ? parts : undefined
}

/** @param text from the line break after the delimiter on */
function parsePart(text: string, isComplete: boolean): BodyPart | undefined {
  // Without headers, the empty line follows the delimiter.
  const end = text.indexOf('\r\n\r\n')
  if (end === -1) return undefined
  const headers = new Map(
    toText(text.slice(2, end))
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
    text: readText(type, content, isComplete),
    isComplete,
  }
}

/** Browsers encode quotation marks and line breaks in names. Source: HTML, section "Multipart form data". */
function readParameter(header: string, name: string): string | null {
  const values = new Map(
    Array.from(header.matchAll(parameter), ([, key = '', quoted, plain]) => [
      key.toLowerCase(),
      quoted?.replaceAll(/\\"|%22/g, '"') ?? plain ?? '',
    ]),
  )
  const [, extended] = /^utf-8'[^']*'(.+)/i.exec(values.get(`${name}*`) ?? '') ?? []
  try {
    if (extended !== undefined) return decodeURIComponent(extended)
  } catch {
    return extended ?? null
  }
  return values.get(name) ?? null
}

function readText(type: string | null, content: string, isComplete: boolean): string | null {
  if (type !== null && /^(?:image\/(?!svg)|audio\/|video\/|font\/)/i.test(type)) return null
  const text = toText(content, isComplete)
  // Text does not contain these control characters, and other bytes are rarely UTF-8.
  // oxlint-disable-next-line no-control-regex
  return /[\0-\x08\x0e-\x1a\x1c-\x1f\uFFFD]/.test(text) ? null : text
}

/** Decodes UTF-8. If the text is not complete, a character that is cut at its end is left out. */
function toText(bytes: string, isComplete = true): string {
  return new TextDecoder().decode(
    Uint8Array.from(bytes, (char) => char.charCodeAt(0)),
    { stream: !isComplete },
  )
}
