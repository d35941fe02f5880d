/** Server-sent events: the streams of `sse`, read by an `EventSource` and by `fetch`. */

const address = 'http://events.example.com/stream'

/** Listens with an `EventSource` until a number of events arrived or the stream failed, or for a second. */
function watch(url, count, names = []) {
  return new Promise((resolve) => {
    const log = []
    const source = new EventSource(url)
    const add = (entry) => {
      if (log.length < count) log.push(entry)
      // Events that closing it adds are not part of the outcome.
      if (log.length === count || entry === 'error') end()
    }
    const end = () => {
      resolve([...log])
      source.close()
    }
    source.addEventListener('open', () => add('open'))
    for (const name of ['message', ...names])
      source.addEventListener(name, ({ type, data, lastEventId }) => add({ type, data, lastEventId }))
    source.addEventListener('error', () => add('error'))
    setTimeout(end, 1000)
  })
}

export const scenarios = {
  messages: async ({ sse, listen }) => {
    listen([
      sse(address, ({ client }) => {
        client.send({ data: 'text' })
        client.send({ data: { a: 1 } })
        client.send({ event: 'mine', data: [1], id: '5' })
      }),
    ])
    return watch(address, 4, ['mine'])
  },
  'messages that come later': async ({ sse, listen, later }) => {
    listen([
      sse(address, async ({ client }) => {
        client.send({ data: '1' })
        await later(10)
        client.send({ data: '2' })
      }),
    ])
    return watch(address, 3)
  },
  'client.close() ends the stream': async ({ sse, listen }) => {
    listen([
      sse(address, ({ client }) => {
        client.send({ data: '1' })
        client.close()
      }),
    ])
    return watch(address, 3)
  },
  'client.error()': async ({ sse, listen }) => {
    listen([sse(address, ({ client }) => client.error())])
    return watch(address, 1)
  },
  'parameters, cookies and the request': async ({ sse, listen }) => {
    listen([
      sse('http://events.example.com/:room', ({ client, params, cookies, request }) =>
        client.send({ data: { params, cookies, method: request.method, accept: request.headers.get('accept') } }),
      ),
    ])
    return watch('http://events.example.com/lobby', 2)
  },
  'several lines': async ({ sse, listen }) => {
    listen([sse(address, ({ client }) => client.send({ data: 'a\nb' }))])
    return watch(address, 2)
  },
  dispatchEvent: async ({ sse, listen }) => {
    listen([
      sse(address, ({ client }) => client.dispatchEvent(new MessageEvent('mine', { data: 'a', lastEventId: '1' }))),
    ])
    return watch(address, 2, ['mine'])
  },
  'a request that does not accept event streams': async ({ sse, http, HttpResponse, listen, ask }) => {
    listen([sse(address, () => {}), http.get(address, () => HttpResponse.text('http'))])
    return ask(address)
  },
  'the response to fetch': async ({ sse, listen }) => {
    listen([
      sse(address, ({ client }) => {
        client.send({ data: 'a' })
        client.close()
      }),
    ])
    const response = await fetch(address, { headers: { Accept: 'text/event-stream' } })
    await response.text()
    return {
      status: response.status,
      type: response.headers.get('content-type'),
      cache: response.headers.get('cache-control'),
      connection: response.headers.get('connection'),
    }
  },
}
