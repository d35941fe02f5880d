import { bodies, describe, each, hopByHop, nameOf, type Probe, type Seen } from './probe.ts'

/** Returns the properties of an XMLHttpRequest and its events, in order. */
function seeXhr(
  url: string,
  { method = 'GET', body, isSync = false, prepare = () => {} }: XhrOptions = {},
): Promise<Seen & { events: string[] }> {
  const xhr = new XMLHttpRequest()
  const events: string[] = []
  const note =
    (prefix: string) =>
    (event: Event): void => {
      const { loaded, total, lengthComputable } = event as ProgressEvent
      const last = `${prefix}${event.type}`
      // The number of these events depends on timing.
      if (last.endsWith('progress')) {
        if (events.at(-1) === '3' && events.at(-2)?.startsWith(last)) events.splice(-2)
        if (events.at(-1)?.startsWith(last)) events.pop()
      }
      events.push(
        event.type === 'readystatechange' ? `${xhr.readyState}` : `${last} ${loaded}/${total} ${lengthComputable}`,
      )
    }
  const types = ['loadstart', 'progress', 'load', 'abort', 'error', 'timeout', 'loadend'] as const
  for (const type of types) {
    xhr.addEventListener(type, note(''))
    if (!isSync && body !== undefined) xhr.upload.addEventListener(type, note('upload '))
  }
  xhr.addEventListener('readystatechange', () => {
    if (events.at(-1) !== `${xhr.readyState}`) events.push(`${xhr.readyState}`)
  })
  xhr.open(method, url, !isSync)
  prepare(xhr)
  const see = (): Seen & { events: string[] } => {
    const { readyState, status, statusText, responseURL, responseType, response } = xhr
    const headers = xhr
      .getAllResponseHeaders()
      .split('\r\n')
      .filter((line) => !hopByHop.includes(line.split(':')[0] ?? ''))
    return { readyState, status, statusText, responseURL, responseType, response: describe(response), headers, events }
  }
  if (isSync) {
    try {
      xhr.send(body ?? null)
    } catch (error) {
      return Promise.resolve({ error: nameOf(error), ...see() })
    }
    return Promise.resolve(see())
  }
  return new Promise((resolve) => {
    xhr.addEventListener('loadend', () => setTimeout(() => resolve(see())))
    xhr.send(body ?? null)
  })
}

interface XhrOptions {
  method?: string
  body?: XMLHttpRequestBodyInit
  isSync?: boolean
  prepare?: (xhr: XMLHttpRequest) => void
}

const xhrAborted = (url: string, at: number): Promise<Seen> =>
  seeXhr(url, {
    prepare: (xhr) =>
      xhr.addEventListener('readystatechange', () => {
        if (xhr.readyState !== at) return
        // The body begins a moment after the headers.
        if (at === 2) xhr.abort()
        else setTimeout(() => xhr.abort(), 50)
      }),
  })

/** `XMLHttpRequest`. */
export const xhrProbes: Readonly<Record<string, Probe>> = {
  'XHR: text': (at) => seeXhr(at('text')),
  'XHR: text in ISO-8859-1': (at) => seeXhr(at('latin')),
  ...each(
    ['json', 'arraybuffer', 'blob', 'text'] as const,
    (type) => `XHR: response type "${type}"`,
    (type) => (at) => seeXhr(at('json'), { prepare: (xhr) => (xhr.responseType = type) }),
  ),
  'XHR: response type "document" of XML': (at) =>
    seeXhr(at('xml'), { prepare: (xhr) => (xhr.responseType = 'document') }),
  'XHR: response type "document" of HTML': (at) =>
    seeXhr(at('html'), { prepare: (xhr) => (xhr.responseType = 'document') }),
  ...each(
    [204, 205, 304, 404],
    (code) => `XHR: status ${code}`,
    (code) => (at) => seeXhr(at(`status?code=${code}`)),
  ),
  'XHR: an empty body': (at) => seeXhr(at('empty')),
  'XHR: HEAD': (at) => seeXhr(at('text'), { method: 'HEAD' }),
  'XHR: Location of a 201': (at) => seeXhr(at('created')),
  'XHR: redirect': (at) => seeXhr(at('redirect?code=302')),
  'XHR: stream': (at) => seeXhr(at('stream')),
  'XHR: a body that breaks off': (at) => seeXhr(at('breaking')),
  'XHR: upload': (at) => seeXhr(at('echo'), { method: 'POST', body: 'the body' }),
  'XHR: upload of a form': async (at) => {
    const seen = await seeXhr(at('echo'), { method: 'POST', body: bodies['form']?.() as FormData })
    // The browser chooses the boundary and its length.
    return { ...seen, events: seen.events.map((line) => line.replace(/^(upload \w+) .*/, '$1')) }
  },
  'XHR: abort before headers': (at) => xhrAborted(at('slow'), 1),
  'XHR: abort after headers': (at) => xhrAborted(at('slow-body'), 2),
  'XHR: abort in the body': (at) => xhrAborted(at('slow-body'), 3),
  'XHR: time-out': (at) => seeXhr(at('slow'), { prepare: (xhr) => (xhr.timeout = 100) }),
  'XHR: synchronous': (at) => seeXhr(at('text'), { isSync: true }),
}
