/** The parts of a media type that an XMLHttpRequest uses. */
export interface MimeType {
  /** Type and subtype in lower case: `text/html`. */
  readonly essence: string
  readonly charset: string | undefined
  /** The serialized type with its parameters. */
  readonly text: string
}

const token = /^[\w!#$%&'*+.^`|~-]+$/
const parameter = /;[\t\n\r ]*([^;="]+)=(?:"((?:[^"\\]|\\.)*)"?|([^;]*))/g

/**
 * Parses a `Content-Type`. Returns `undefined` for text that is not a MIME type.
 *
 * @see https://mimesniff.spec.whatwg.org/#parse-a-mime-type
 */
export function parseMimeType(value: string | null): MimeType | undefined {
  const [given = ''] = (value ?? '').split(';', 1)
  const essence = given.trim().toLowerCase()
  const [type, subtype, ...rest] = essence.split('/')
  if (!type || !subtype || rest.length > 0 || !token.test(type) || !token.test(subtype)) return undefined
  const parameters = new Map<string, string>()
  for (const [, name = '', quoted, plain = ''] of (value ?? '').matchAll(parameter)) {
    const key = name.trim().toLowerCase()
    const text = quoted?.replaceAll(/\\(.)/g, '$1') ?? plain.trim()
    if (token.test(key) && (quoted !== undefined || text !== '') && !parameters.has(key)) parameters.set(key, text)
  }
  const texts = Array.from(parameters, ([name, text]) => `;${name}=${token.test(text) ? text : JSON.stringify(text)}`)
  return { essence, charset: parameters.get('charset'), text: essence + texts.join('') }
}

/** @see https://mimesniff.spec.whatwg.org/#xml-mime-type */
export function isXml({ essence }: MimeType): boolean {
  return essence === 'text/xml' || essence === 'application/xml' || essence.endsWith('+xml')
}

export function isHtml({ essence }: MimeType): boolean {
  return essence === 'text/html'
}
