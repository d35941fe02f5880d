import fc from 'fast-check'
import { expect, test } from 'vitest'

import { toHar } from '../log/to-har.ts'
import { createRequest } from '../testing/create-request.ts'
import { parseHar, type ParsedHar, type RecordedExchange } from './parse-har.ts'

const entry = (url: string, given: { request?: object; response?: object; [more: string]: unknown } = {}): object => ({
  startedDateTime: '2026-01-02T00:00:00.000Z',
  time: 12.5,
  ...given,
  request: { method: 'get', url, headers: [{ name: 'accept', value: '*/*' }], ...given.request },
  response: {
    status: 200,
    statusText: 'OK',
    headers: [{ name: 'content-type', value: 'application/json' }],
    content: { size: 8, mimeType: 'application/json', text: '{"id":5}' },
    ...given.response,
  },
})

const parse = (...entries: unknown[]): ParsedHar => parseHar(JSON.stringify({ log: { entries } }), 'a.har')
const content = (given: object): RecordedExchange['details']['bodies']['response'] | undefined =>
  parse(entry('https://a.test/b', { response: { content: given } })).exchanges[0]?.details.bodies.response

test('an entry becomes a request of the log with its headers and body', () => {
  const { exchanges, notes } = parse(entry('https://a.test/users?page=1'))
  expect(notes).toEqual([])
  expect(exchanges).toEqual([
    {
      request: createRequest('har-0', {
        url: 'https://a.test/users?page=1',
        startedAt: Date.UTC(2026, 0, 2),
        duration: 12.5,
        respondedAfter: 12.5,
        outcome: 'unhandled',
        status: 200,
        statusText: 'OK',
      }),
      details: {
        headers: { request: [['accept', '*/*']], response: [['content-type', 'application/json']] },
        bodies: {
          request: null,
          response: { type: 'application/json', size: 8, isComplete: true, text: '{"id":5}', base64: null },
        },
        frames: [],
      },
    },
  ])
})

test('a file that is not an archive is an error that says why', () => {
  for (const [text, reason] of [
    ['', 'it is not JSON'],
    ['<html>', 'it is not JSON'],
    ['null', 'it contains no list "log.entries"'],
    ['{"log":{"entries":{}}}', 'it contains no list "log.entries"'],
  ] as const) {
    expect(() => parseHar(text, 'a.har')).toThrow(`Failed to import a.har: ${reason}. Choose an HTTP archive`)
    expect(() => parseHar(text, 'a.har')).toThrow(/\(US0860\)$/)
  }
  expect(parseHar('\uFEFF{"log":{"entries":[]}}', 'a.har')).toEqual({ exchanges: [], notes: [] })
})

test('the entries are sorted by time', () => {
  const { exchanges } = parse(
    entry('https://a.test/2', { startedDateTime: '2026-01-02T02:00:00+01:00' }),
    entry('https://a.test/3', { startedDateTime: '2026-01-02T01:00:01.000Z' }),
    entry('https://a.test/1', { startedDateTime: '2026-01-02T00:59:00.000Z' }),
  )
  expect(exchanges.map(({ request }) => request.url)).toEqual(['1', '2', '3'].map((path) => `https://a.test/${path}`))
})

test('entries that are not HTTP, not valid, or part of a page are left out with a note', () => {
  const { exchanges, notes } = parse(
    entry('wss://a.test/socket'),
    entry('data:text/plain,hello'),
    entry('chrome-extension://abc/x'),
    // A proxy writes a connection that it does not decrypt in this way.
    entry('https://a.test:443', { request: { method: 'CONNECT' } }),
    entry('https://a.test/main.js?v=1'),
    entry('https://a.test/', { _resourceType: 'document' }),
    entry('https://a.test/users', { _resourceType: 'preflight' }),
    // An API may have this path.
    entry('https://a.test/export.js', { _resourceType: 'fetch' }),
    entry('no url'),
    entry('https://a.test/', { request: { method: 'GET\n' } }),
    5,
    null,
    { request: [] },
  )
  expect(exchanges.map(({ request }) => request.url)).toEqual(['https://a.test/export.js'])
  expect(notes).toEqual([
    'Left out: 3 requests for pages and assets.',
    'Left out: 4 requests that are not HTTP.',
    'Left out: 5 entries that are not valid.',
  ])
  expect(parse(entry('ws://a.test')).notes).toEqual(['Left out: 1 request that is not HTTP.'])
})

test('text in Base64 is decoded, and other bodies are not text', () => {
  const base64 = Buffer.from('{"name":"Zoë"}').toString('base64')
  expect(content({ mimeType: 'application/problem+json', text: base64, encoding: 'base64', size: 15 })).toMatchObject({
    text: '{"name":"Zoë"}',
    base64: null,
  })
  expect(content({ text: base64, encoding: 'base64' })).toMatchObject({ text: '{"name":"Zoë"}' })
  for (const [mimeType, text] of [
    ['image/png', base64],
    ['application/json', 'not-Base64!'],
    ['text/plain', Buffer.from([0xff, 0xfe, 0xfd]).toString('base64')],
  ]) {
    expect(content({ mimeType, text, encoding: 'base64' })).toMatchObject({ text: null, base64: text })
    const lines = text?.replaceAll(/.{4}/g, '$&\r\n')
    expect(content({ mimeType, text: lines, encoding: 'base64' })).toMatchObject({ text: null, base64: text })
  }
})

test('a body that the archive lacks is not complete, and an empty one is left out', () => {
  expect(content({ mimeType: 'application/json', size: 70 })).toMatchObject({ isComplete: false })
  expect(content({ mimeType: '', size: 0 })).toBe(null)
  expect(content({ mimeType: 'text/plain', size: -1 })).toBe(null)
})

test.each([0, -1, 101, 600, 200.5, '200', null])('the status %j does not count as a response', (status) => {
  const { exchanges } = parse(entry('https://a.test/', { response: { status } }))
  expect(exchanges[0]?.request).toMatchObject({ status: null, respondedAfter: null })
})

test('an archive that the panel saved has the same requests and bodies', () => {
  const request = createRequest('1', {
    method: 'PUT',
    url: 'http://localhost/api/users?page=1',
    startedAt: Date.UTC(2026, 0, 2),
    status: 201,
    statusText: 'Created',
  })
  const body = (text: string, isComplete = true) => ({
    type: 'text/plain;charset=utf-8',
    size: new TextEncoder().encode(text).length,
    isComplete,
    text,
    base64: null,
  })
  const image = { type: 'image/png', size: 2, isComplete: true, text: null, base64: 'AP8=' }
  const details = {
    headers: { request: [], response: [] },
    bodies: { request: body('Zoë'), response: image },
    frames: [],
  }
  const cut = { ...details, bodies: { request: null, response: body('begin', false) } }
  const { exchanges } = parseHar(
    toHar([
      { request, details },
      { request, details: cut },
    ]),
    'own.har',
  )
  expect(exchanges[0]?.request).toMatchObject({ method: 'PUT', url: request.url, status: 201, statusText: 'Created' })
  expect(exchanges[0]?.request.startedAt).toBe(request.startedAt)
  expect(exchanges[0]?.details.bodies.response).toEqual(image)
  expect(exchanges[0]?.details.bodies.request).toMatchObject({ type: 'text/plain;charset=utf-8', text: 'Zoë' })
  expect(exchanges[1]?.details.bodies.response).toMatchObject({ text: 'begin', isComplete: false })
})

test('any archive is read or refused', () => {
  const names = 'log entries request response method url headers name value content text mimeType encoding size status'
  const value = fc.letrec((tie) => ({
    any: fc.oneof(
      { maxDepth: 5 },
      fc.constantFrom(null, true, -1, '', 'GET', 'http://a.test/', 'base64', '%', '\u0000'),
      fc.array(tie('any'), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom('__proto__', 'constructor', ...names.split(' ')), tie('any'), { maxKeys: 5 }),
    ),
  })).any
  const mutated = fc.tuple(fc.constantFrom(...names.split(' ')), value).map(([name, given]) => {
    const text = JSON.stringify({ log: { entries: [entry('http://a.test/')] } })
    // The old value stays as another member.
    return text.replace(`"${name}":`, () => `"${name}":${JSON.stringify(given)},"old":`)
  })
  const wild = value.map((given) => JSON.stringify({ log: { entries: [given, given] } }))
  fc.assert(
    fc.property(fc.oneof(mutated, wild, fc.string(), fc.json()), (text) => {
      const read = (): ParsedHar | Error => {
        try {
          return parseHar(text ?? '', 'a.har')
        } catch (error) {
          return error as Error
        }
      }
      const result = read()
      const { exchanges, notes } = result instanceof Error ? { exchanges: [], notes: [] } : result
      expect(result instanceof Error ? result.message : '').toMatch(/^$|^Failed to import a\.har: .*\(US0860\)$/)
      for (const { request, details } of exchanges) {
        expect(new URL(request.url).protocol).toMatch(/^https?:$/)
        expect(request.startedAt).toBeGreaterThanOrEqual(Number.MIN_SAFE_INTEGER)
        expect(details.headers?.request.flat().every((part) => typeof part === 'string')).toBe(true)
      }
      expect(notes.every((note) => note.startsWith('Left out: '))).toBe(true)
    }),
    { numRuns: 1000 },
  )
})

test('a truncated archive is not JSON', () => {
  const text = JSON.stringify({ log: { entries: [entry('https://a.test/1'), entry('https://a.test/2')] } })
  for (let end = 0; end < text.length; end += 1) {
    expect(() => parseHar(text.slice(0, end), 'a.har')).toThrow('Failed to import a.har: it is not JSON.')
  }
  const deep = '{"log":{"entries":'.repeat(100_000)
  expect(() => parseHar(deep, 'a.har')).toThrow('it is not JSON')
})

test('an archive of 40 MB is read with all of its entries', () => {
  const text = 'a'.repeat(20_000)
  const entries = Array.from({ length: 2000 }, (_, index) =>
    entry(`https://a.test/${index}`, { response: { content: { mimeType: 'text/plain', text } } }),
  )
  const { exchanges, notes } = parse(...entries)
  expect(notes).toEqual([])
  expect(exchanges).toHaveLength(2000)
  expect(exchanges.at(-1)?.details.bodies.response).toMatchObject({ text, size: text.length })
})

test.each(['http', 'https', 'ws', 'wss'])('a WebSocket connection with the URL %s:// is not HTTP', (scheme) => {
  const messages = [{ type: 'send', time: 1, opcode: 1, data: '{"id":1}' }]
  const url = `${scheme}://a.test/socket`
  const sockets = [
    entry(url, { _webSocketMessages: messages, response: { status: 101 } }),
    entry(url, { _resourceType: 'websocket', response: { status: 101 } }),
  ]
  expect(parse(...sockets)).toEqual({ exchanges: [], notes: ['Left out: 2 requests that are not HTTP.'] })
})

test('an entry without a response is kept, and it says that it has none', () => {
  const request = { method: 'GET', url: 'https://a.test/' }
  const { exchanges, notes } = parse(
    { request },
    { request, response: null },
    { request, response: { status: 0, statusText: '', headers: [], content: {} } },
    { request, response: [] },
  )
  expect(notes).toEqual([])
  expect(exchanges).toHaveLength(4)
  for (const { request: logged, details } of exchanges) {
    expect(logged).toMatchObject({ status: null, startedAt: 0, duration: 0 })
    expect(details.bodies).toEqual({ request: null, response: null })
  }
})

test('numbers that are too large are not times or sizes', () => {
  const text = JSON.stringify({ log: { entries: [entry('https://a.test/', { time: 7 })] } })
    .replace('"time":7', '"time":1e999')
    .replace('"size":8', '"size":1e999')
  const [exchange] = parseHar(text, 'a.har').exchanges
  expect(exchange?.request).toMatchObject({ duration: 0, respondedAfter: null })
  expect(exchange?.details.bodies.response?.size).toBe(8)
})

test('members named as in a prototype change nothing', () => {
  const hostile = `{"__proto__":{"log":{"entries":[]},"isComplete":false},"constructor":1,"log":{"__proto__":{"a":1},"entries":[
    {"__proto__":{"_resourceType":"image"},"request":{"__proto__":{"method":"DELETE"},"method":"GET","url":"https://a.test/"},
     "response":{"status":200,"headers":[{"name":"__proto__","value":"x"}],"content":{"text":"{\\"__proto__\\":{\\"isAdmin\\":true}}","mimeType":"application/json"}}}]}}`
  const { exchanges } = parseHar(hostile, 'a.har')
  expect(exchanges).toHaveLength(1)
  expect(exchanges[0]?.request).toMatchObject({ method: 'GET', status: 200 })
  expect(exchanges[0]?.details.headers?.response).toEqual([['__proto__', 'x']])
  expect(({} as { isAdmin?: boolean }).isAdmin).toBe(undefined)
})
