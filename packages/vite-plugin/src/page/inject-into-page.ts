import type { ServerResponse } from 'node:http'

/** The maximum number of characters of a page that are held back until its head is found. */
const longestStart = 16_384

/** The beginning of a page. */
export interface Page {
  /** The received part of the page. Each character is one byte, so text other than ASCII is not readable. */
  readonly text: string
  /** The index where its head begins or could begin. */
  readonly head: number
}

/**
 * Edits the beginning of a response, if it is a readable HTML page. Other responses do not change.
 *
 * @param edit gets the received part of the page, and returns it with changes, which must be ASCII
 */
export function injectIntoPage(response: ServerResponse, edit: (page: Page) => string): void {
  const writeHead = response.writeHead.bind(response)
  const write = response.write.bind(response) as (...args: unknown[]) => boolean
  const end = response.end.bind(response) as (...args: unknown[]) => ServerResponse
  let state: 'undecided' | 'held' | 'passing' = 'undecided'
  let held = ''

  const decide = (): void => {
    if (state !== 'undecided') return
    state = isReadablePage(response) ? 'held' : 'passing'
    if (state === 'passing') return
    // These headers describe the page without the inserted text.
    for (const name of ['Content-Length', 'ETag', 'Last-Modified', 'Content-Digest']) response.removeHeader(name)
  }

  /** @returns the part of a chunk to write now */
  const take = (chunk: unknown, encoding: unknown, isLast: boolean): unknown => {
    if (state === 'passing') return chunk
    // Decode one character for each byte.
    held += toBuffer(chunk, encoding).toString('latin1')
    if (startOfUtf16.test(held)) {
      state = 'passing'
      return Buffer.from(held, 'latin1')
    }
    const place = findPlace(held, isLast || held.length > longestStart)
    if (place === undefined) return undefined
    state = 'passing'
    return Buffer.from(edit({ text: held, head: place }), 'latin1')
  }

  Object.assign(response, {
    writeHead(status: number, ...rest: unknown[]) {
      response.statusCode = status
      if (typeof rest[0] === 'string') response.statusMessage = rest.shift() as string
      setHeaders(response, rest[0])
      decide()
      return writeHead(status)
    },
    write(chunk: unknown, ...rest: unknown[]) {
      decide()
      const taken = take(chunk, rest[0], false)
      if (state === 'passing' && taken === chunk) return write(chunk, ...rest)
      const callback = rest.find((each) => typeof each === 'function') as (() => void) | undefined
      if (taken !== undefined) return write(taken, callback)
      if (callback) process.nextTick(callback)
      return true
    },
    end(...args: unknown[]) {
      decide()
      const isCallback = typeof args[0] === 'function'
      const chunk = isCallback ? undefined : args[0]
      if (state === 'passing') return end(...args)
      const callback = args.find((each) => typeof each === 'function')
      return end(take(chunk ?? '', args[1], true), callback)
    },
  })
}

/**
 * Returns whether a response is a page in which a script can be inserted. A page in the syntax of XML is not: it would no
 * longer be well-formed, and the browser would show an error instead. A download must arrive as it was sent.
 */
function isReadablePage(response: ServerResponse): boolean {
  const read = (name: string): string => String(response.getHeader(name) ?? '').trim()
  const isEncoded = !['', 'identity'].includes(read('content-encoding'))
  const isDownload = /^attachment\b/i.test(read('content-disposition'))
  return /^text\/html\b/i.test(read('content-type')) && !isEncoded && !isDownload && response.statusCode !== 304
}

/**
 * Finds the start of the head.
 *
 * @param isAll whether the page is complete. Then, without a head, the result is the earliest position that a document
 * allows
 */
function findPlace(page: string, isAll: boolean): number | undefined {
  const start = beforeHead.exec(page)?.[0].length ?? 0
  const rest = page.slice(start)
  const head = headTag.exec(rest)
  if (head) return start + head[0].length
  // An incomplete tag at the end may still become one of these.
  const isOpen = rest === '' || (/^<(?:[!?h]|$)/i.test(rest) && !completeTag.test(rest))
  return isOpen && !isAll ? undefined : start
}

/** The part of a tag after its name. A value in quotes may contain ">", as in `class="[&>svg]:hidden"`. */
const attributes = String.raw`(?:[^>=]|=\s*"[^"]*"|=\s*'[^']*'|=(?!\s*["']))*>`
/** Comments also have the form of a declaration of XML: `<?xml version="1.0"?>`. */
const comment = String.raw`<!--[\s\S]*?-->|<\?[^>]*>`
const beforeHead = new RegExp(
  String.raw`^(?:\s|\u00EF\u00BB\u00BF|${comment}|<!doctype[^>]*>|<html(?:\s${attributes}|>))*`,
  'i',
)
/** The first byte of a byte order mark of UTF-16. */
const startOfUtf16 = /^[\u00FE\u00FF]/
const headTag = new RegExp(String.raw`^<head(?:\s${attributes}|>)`, 'i')
const completeTag = new RegExp(String.raw`^(?:${comment}|<(?!!--)${attributes})`)

function toBuffer(chunk: unknown, encoding: unknown): Buffer {
  if (typeof chunk === 'string')
    return Buffer.from(chunk, typeof encoding === 'string' ? (encoding as BufferEncoding) : 'utf8')
  return Buffer.from(chunk as Uint8Array)
}

/** Sets headers in the forms of `writeHead`: an object, a list of pairs, or alternating names and values. */
function setHeaders(response: ServerResponse, headers: unknown): void {
  if (typeof headers !== 'object' || headers === null) return
  if (!Array.isArray(headers)) {
    for (const [name, value] of Object.entries(headers) as [string, number | string | string[] | undefined][]) {
      if (value !== undefined) response.setHeader(name, value)
    }
    return
  }
  const flat = headers.flat() as string[]
  const names = new Set<string>()
  for (let index = 0; index + 1 < flat.length; index += 2) {
    const [name = '', value = ''] = flat.slice(index, index + 2)
    if (names.has(name.toLowerCase())) response.appendHeader(name, value)
    else response.setHeader(name, value)
    names.add(name.toLowerCase())
  }
}
