/** The answer of an endpoint. The real server writes it to a socket, and a handler creates a response from it. */
export interface Answer {
  readonly status?: number
  readonly statusText?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Text, bytes, or parts with a pause before each: some milliseconds, or until a promise is resolved. */
  readonly body?:
    | string
    | Uint8Array<ArrayBuffer>
    | readonly (readonly [pause: number | Promise<void>, text: string])[]
    | null
  /** Waits before the headers, in milliseconds. */
  readonly pause?: number
  /** Whether the connection breaks after the body. */
  readonly breaks?: boolean
}

export interface Asked {
  readonly method: string
  readonly url: URL
  readonly headers: Headers
  readonly body: string
}

const pixel = Uint8Array.from(
  atob('iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAFklEQVR4nGP8z8DAwMDAxMDAwMDAAAANHQEDasKb6QAAAABJRU5ErkJggg=='),
  (character) => character.charCodeAt(0),
)

/** A second of silence as a WAV file: 8,000 samples of a byte. */
const sound = ((): Uint8Array<ArrayBuffer> => {
  const bytes = new Uint8Array(8044).fill(128, 44)
  const view = new DataView(bytes.buffer)
  const write = (at: number, value: string): void => bytes.set(new TextEncoder().encode(value), at)
  write(0, 'RIFF')
  view.setUint32(4, 8036, true)
  write(8, 'WAVEfmt ')
  view.setUint32(16, 16, true)
  view.setUint32(20, 0x1_00_01, true)
  view.setUint32(24, 8000, true)
  view.setUint32(28, 8000, true)
  view.setUint32(32, 0x8_00_01, true)
  write(36, 'data')
  view.setUint32(40, 8000, true)
  return bytes
})()

/** Returns the part of a file that a request asks for. */
function sendRange(file: Uint8Array<ArrayBuffer>, type: string, { headers }: Asked): Answer {
  const own = { 'content-type': type, 'accept-ranges': 'bytes' }
  const [, from = '0', to = ''] = /bytes=(\d+)-(\d*)/.exec(headers.get('range') ?? '') ?? []
  const body = file.slice(Number(from), to === '' ? undefined : Number(to) + 1)
  const length = { 'content-length': String(body.length) }
  if (!headers.has('range')) return { headers: { ...own, ...length }, body }
  const range = `bytes ${from}-${Number(from) + body.length - 1}/${file.length}`
  return { status: 206, headers: { ...own, ...length, 'content-range': range }, body }
}

const text = (body: string, headers: Record<string, string> = {}, status = 200): Answer => ({
  status,
  headers: { 'content-type': 'text/plain', 'content-length': String(body.length), ...headers },
  body,
})

/** The parts of streams that wait until the client has read the part before, by the id of the stream. */
const waitingParts = new Map<string, (() => void)[]>()

function afterRead(id: string): Promise<void> {
  return new Promise((resolve) => waitingParts.set(id, [...(waitingParts.get(id) ?? []), resolve]))
}

/** The descriptions of requests, by the id in their URL. */
const kept = new Map<string, string>()

function describeAsked({ method, headers, body }: Asked): string {
  // The browser chooses the boundary.
  const [type = '', boundary = ''] = (headers.get('content-type') ?? '').split('boundary=')
  return `${method} ${type} ${(boundary ? body.replaceAll(boundary, '') : body).length}`
}

/** Disable MIME sniffing, for which browsers wait for more text. */
const plain = { 'content-type': 'text/plain', 'x-content-type-options': 'nosniff' }

/** The endpoints. All state but that of `read-stream` and `keep` is in the URL, so that both sides answer in the same way. */
export const endpoints: Readonly<Record<string, (asked: Asked) => Answer>> = {
  empty: () => text(''),
  json: () => ({ headers: { 'content-type': 'application/json', 'x-custom': 'a, b' }, body: '{"a":[1,"ü"]}' }),
  text: () => text('hello'),
  latin: () => ({
    headers: { 'content-type': 'text/plain; charset=iso-8859-1' },
    body: Uint8Array.from([0x67, 0x72, 0xfc, 0x6e]),
  }),
  xml: () => ({ headers: { 'content-type': 'application/xml' }, body: '<?xml version="1.0"?><a><b/></a>' }),
  html: () => ({ headers: { 'content-type': 'text/html' }, body: '<!doctype html><title>a</title>' }),
  status: ({ url }) => {
    const status = Number(url.searchParams.get('code'))
    const isEmpty = [204, 205, 304].includes(status)
    return {
      status,
      statusText: 'Own Words',
      headers: { ...plain, 'x-status': 'yes' },
      body: isEmpty ? null : 'the body',
    }
  },
  created: () => ({ status: 201, headers: { ...plain, location: '/somewhere?a#b' }, body: 'created' }),
  redirect: ({ url }) => ({
    status: Number(url.searchParams.get('code')),
    headers: { location: url.searchParams.get('to') ?? './text' },
    body: null,
  }),
  'no-location': () => ({ status: 302, headers: { ...plain, 'x-status': 'yes' }, body: 'no location' }),
  echo: (asked) => text(describeAsked(asked)),
  /** Keeps the description of a request whose client gets no response. */
  keep: (asked) => {
    kept.set(asked.url.searchParams.get('id') ?? '', describeAsked(asked))
    return text('')
  },
  kept: ({ url }) => text(kept.get(url.searchParams.get('id') ?? '') ?? ''),
  stream: () => ({
    headers: plain,
    body: [
      [0, 'one'],
      [80, 'two'],
      [80, 'three'],
    ],
  }),
  /** A browser may join parts, so each part waits until the client has told `read` that it has the previous one. */
  'read-stream': ({ url }) => {
    const id = url.searchParams.get('id') ?? ''
    return {
      headers: plain,
      body: [
        [0, 'one'],
        [afterRead(id), 'two'],
        [afterRead(id), 'three'],
      ],
    }
  },
  read: ({ url }) => {
    waitingParts.get(url.searchParams.get('id') ?? '')?.shift()?.()
    return text('')
  },
  slow: () => ({ ...text('slow'), pause: 1500 }),
  'slow-body': () => ({
    headers: plain,
    body: [
      [0, 'first'],
      [1500, 'last'],
    ],
  }),
  breaking: () => ({ headers: plain, body: [[0, 'first']], breaks: true }),
  timing: () => text('timed', { 'server-timing': 'db;dur=53.2;desc="a b", cache' }),
  cached: () => text('cached', { 'cache-control': 'max-age=600', etag: '"1"' }),
  pixel: () => ({ headers: { 'content-type': 'image/png', 'content-length': String(pixel.length) }, body: pixel }),
  broken: () => ({ headers: { 'content-type': 'image/png' }, body: 'no image' }),
  script: () => ({
    headers: { 'content-type': 'text/javascript' },
    body: 'globalThis.loadedScript = document.currentScript?.src',
  }),
  module: () => ({ headers: { 'content-type': 'text/javascript' }, body: 'export const url = import.meta.url' }),
  nonscript: () => ({ headers: { 'content-type': 'text/plain' }, body: 'export const url = 1' }),
  style: () => ({
    headers: { 'content-type': 'text/css' },
    body: '#styled { background: url("./pixel"); width: 7px }',
  }),
  range: (asked) => sendRange(new TextEncoder().encode('0123456789'), 'text/plain', asked),
  sound: (asked) => sendRange(sound, 'audio/wav', asked),
  cookies: () => text('set', { 'set-cookie': 'fidelity=1; Path=/' }),
  events: ({ url, headers }) => {
    const last = headers.get('last-event-id')
    const kind = url.searchParams.get('kind')
    if (kind === 'empty') return { status: 204, body: null }
    if (kind === 'error') return { status: 500, body: 'error' }
    if (kind === 'type') return { headers: { 'content-type': 'text/plain' }, body: 'data: a\n\n' }
    // The second connection ends the stream permanently.
    if (last !== null) return { status: 204, body: null }
    return {
      headers: { 'content-type': 'text/event-stream' },
      body: [
        [0, 'retry: 50\nid: 7\ndata: one\n\n'],
        [40, 'event: named\ndata: two\ndata: lines\n\n'],
      ],
    }
  },
}
