import { METHODS } from 'node:http'

/** The protocol of a client by its first bytes. */
export type FirstBytes = 'http' | 'http2' | 'other' | 'unclear'

const methods = new Set(METHODS)
/** The first words of a request that Node's parser reads, and of the preface of HTTP/2. */
const firstWords = [...METHODS, 'PRI']
const longestLine = 64 * 1024

/** A request line of HTTP after a byte order mark or control characters. Node's parser answers it with the status 400. */
const spoiltRequestLine = /^(?:\p{Cc}|\xef\xbb\xbf)+[!#$%&'*+.^_`|~0-9A-Za-z-]+[\t ][^\r\n]*[\t ]HTTP\/\d/u

/**
 * Detects the protocol. Bytes that could be HTTP/1 count as HTTP/1, because a request that the parser rejects must not
 * reach the network. An incomplete line is unclear only if it begins with a method: a client of another protocol may
 * send a word without a line break and wait for the answer.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9112#section-3
 */
export function readFirstBytes(bytes: Buffer): FirstBytes {
  const text = bytes.toString('latin1', 0, longestLine).replace(/^[\r\n]+/, '')
  if (text === '') return bytes.length < 16 ? 'unclear' : 'other'
  const [method, rest] = splitAt(text, /[\t ]/)
  if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]*$/.test(method)) return spoiltRequestLine.test(text) ? 'http' : 'other'
  if (rest === undefined) return firstWords.some((word) => word.startsWith(method)) ? 'unclear' : 'other'
  const [line = '', ...others] = rest.split('\n')
  const isWhole = others.length > 0
  // The connection preface of HTTP/2, https://www.rfc-editor.org/rfc/rfc9113#section-3.4
  if (method === 'PRI' && line.startsWith('* HTTP/2')) return 'http2'
  if (/\sHTTP\/\d/.test(line)) return 'http'
  if (!isWhole && !firstWords.includes(method)) return 'other'
  const target = line.trimStart()
  if (!isWhole && target === '') return 'unclear'
  if (methods.has(method) && /^(?:\/|\*|https?:)/i.test(target)) return 'http'
  if (!isWhole) return line.length >= longestLine - 100 ? 'other' : 'unclear'
  return 'other'
}

function splitAt(text: string, separator: RegExp): [string, string?] {
  const index = text.search(separator)
  return index === -1 ? [text] : [text.slice(0, index), text.slice(index + 1)]
}
