import { bodies, each, hopByHop, nameOf, wait, type Probe, type Seen } from './probe.ts'

async function seeResponse(response: Response): Promise<Seen> {
  const { status, statusText, ok, type, url, redirected, bodyUsed } = response
  const headers = [...response.headers].filter(([name]) => !hopByHop.includes(name))
  const seen: Seen = {
    status,
    statusText,
    ok,
    type,
    url,
    redirected,
    bodyUsed,
    hasBody: response.body !== null,
    headers,
  }
  seen['class'] = Object.prototype.toString.call(response) + String(response.constructor === Response)
  seen['body'] = await response.text().catch(nameOf)
  return seen
}

const seeFetch = (url: string, init?: RequestInit): Promise<Seen> =>
  fetch(url, init).then(seeResponse, (error: unknown) => ({ error: nameOf(error) }))

const streamed = (): RequestInit =>
  ({
    method: 'POST',
    duplex: 'half',
    body: new Blob(['the body']).stream(),
  }) as RequestInit

const withAbort = (url: string, milliseconds: number, reason?: unknown): Promise<Seen> => {
  const controller = new AbortController()
  setTimeout(() => (reason === undefined ? controller.abort() : controller.abort(reason)), milliseconds)
  return seeFetch(url, { signal: controller.signal })
}

/** Returns the browser's timing entry of a request. */
async function seeTiming(url: string): Promise<Seen> {
  const { href } = new URL(url, location.href)
  await (await fetch(url)).text()
  await wait(100)
  const entries = performance.getEntriesByName(href) as PerformanceResourceTiming[]
  const [entry] = entries
  if (!entry) return { entries: 0 }
  const { initiatorType, responseStatus, encodedBodySize, decodedBodySize, serverTiming, nextHopProtocol } = entry
  const contentType = (entry as { contentType?: string }).contentType
  return {
    entries: entries.length,
    initiatorType,
    responseStatus,
    encodedBodySize,
    decodedBodySize,
    contentType,
    nextHopProtocol,
    serverTiming: serverTiming.map(({ name, duration, description }) => `${name} ${duration} ${description}`),
  }
}

/** `fetch`, and the browser's timing entries. */
export const fetchProbes: Readonly<Record<string, Probe>> = {
  'fetch: JSON': (at) => seeFetch(at('json')),
  'fetch: a fragment': (at) => seeFetch(at('text#part')),
  'fetch: text in ISO-8859-1': (at) => seeFetch(at('latin')),
  ...each(
    [204, 205, 304, 404, 500],
    (code) => `fetch: status ${code}`,
    (code) => (at) => seeFetch(at(`status?code=${code}`)),
  ),
  'fetch: HEAD of a response with a body': (at) => seeFetch(at('text'), { method: 'HEAD' }),
  'fetch: Location of a 201': (at) => seeFetch(at('created')),
  ...each(
    [301, 302, 303, 307, 308],
    (code) => `fetch: redirect ${code}`,
    (code) => (at) => seeFetch(at(`redirect?code=${code}`)),
  ),
  'fetch: redirect 303 of a POST': (at) =>
    seeFetch(at('redirect?code=303&to=./echo'), { method: 'POST', body: 'body' }),
  'fetch: redirect 307 of a POST': (at) =>
    seeFetch(at('redirect?code=307&to=./echo'), { method: 'POST', body: 'body' }),
  'fetch: redirect, mode "manual"': (at) => seeFetch(at('redirect?code=302'), { redirect: 'manual' }),
  'fetch: redirect, mode "error"': (at) => seeFetch(at('redirect?code=302'), { redirect: 'error' }),
  'fetch: redirect to itself': (at) => seeFetch(at('redirect?code=302&to=./redirect%3Fcode=302')),
  'fetch: redirect without Location': (at) => seeFetch(at('no-location')),
  ...each(
    Object.entries(bodies),
    ([name]) => `fetch: upload of ${name}`,
    ([, body]) =>
      (at) =>
        seeFetch(at('echo'), { method: 'POST', body: body() }),
  ),
  'fetch: upload of a stream': (at) => seeFetch(at('echo'), streamed()),
  'fetch: keepalive': (at) => seeFetch(at('echo'), { method: 'POST', body: 'body', keepalive: true }),
  'fetch: stream': async (at) => {
    const id = crypto.randomUUID()
    const response = await fetch(at(`read-stream?id=${id}`))
    const chunks: string[] = []
    for (const reader = response.body?.getReader(); ;) {
      const { done, value } = (await reader?.read()) ?? { done: true, value: undefined }
      if (done) return { chunks }
      chunks.push(`${value?.constructor.name} ${new TextDecoder().decode(value)}`)
      await fetch(at(`read?id=${id}`))
    }
  },
  'fetch: a body that breaks off': (at) => seeFetch(at('breaking')),
  'fetch: abort before headers': (at) => withAbort(at('slow'), 100),
  'fetch: abort before headers, with a reason': (at) => withAbort(at('slow'), 100, 'the reason'),
  'fetch: abort after headers': async (at) => {
    const controller = new AbortController()
    const response = await fetch(at('slow-body'), { signal: controller.signal })
    controller.abort()
    return seeResponse(response)
  },
  'fetch: abort in the body': async (at) => {
    const controller = new AbortController()
    // The last part of the body comes later than the abort, however late the headers come.
    const response = await fetch(at('slow-body'), { signal: controller.signal })
    setTimeout(() => controller.abort(), 100)
    return seeResponse(response)
  },
  'fetch: aborted before it starts': (at) => seeFetch(at('text'), { signal: AbortSignal.abort() }),
  'fetch: time-out': (at) => seeFetch(at('slow'), { signal: AbortSignal.timeout(100) }),
  'fetch: integrity that fits': (at) =>
    seeFetch(at('text'), { integrity: 'sha256-LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ=' }),
  'fetch: integrity that does not fit': (at) => seeFetch(at('text'), { integrity: 'sha256-AAAA' }),
  ...each(
    ['no-store', 'reload', 'no-cache', 'force-cache'] as const,
    (cache) => `fetch: cache "${cache}"`,
    (cache) => (at) => seeFetch(at('cached'), { cache }),
  ),
  'fetch: cache "only-if-cached", nothing cached': (at) =>
    seeFetch(at('text?only'), { cache: 'only-if-cached', mode: 'same-origin' }),
  'fetch: mode "no-cors"': (at) => seeFetch(at('text'), { mode: 'no-cors' }),
  'fetch: range': (at) => seeFetch(at('range'), { headers: { range: 'bytes=2-5' } }),
  'fetch: Set-Cookie': async (at) => {
    document.cookie = 'fidelity=; Max-Age=0; Path=/'
    const seen = await seeFetch(at('cookies'))
    return { ...seen, cookie: document.cookie.includes('fidelity=1') }
  },
  'fetch: clone() and arrayBuffer(), blob(), json()': async (at) => {
    const response = await fetch(at('json'))
    const copy = response.clone()
    const blob = await response.clone().blob()
    return {
      ...(await seeResponse(copy)),
      length: (await response.clone().arrayBuffer()).byteLength,
      blob: `${blob.size} ${blob.type}`,
      json: (await response.json()) as unknown,
    }
  },
  'resource timing': (at) => seeTiming(at('text?timing')),
  'Server-Timing': (at) => seeTiming(at('timing')),
}
