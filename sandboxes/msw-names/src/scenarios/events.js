/** Life-cycle events, and when `finalize` runs. */

const eventNames = [
  'request:start',
  'request:match',
  'request:unhandled',
  'request:end',
  'response:mocked',
  'response:bypass',
  'unhandledException',
]

/** The names of all events, with the keys of their data. */
function record(server) {
  const seen = []
  const ids = new Set()
  for (const name of eventNames) {
    server.events.on(name, (event) => {
      ids.add(event.requestId)
      const known = ['request', 'requestId', 'response', 'error'].filter((key) => key in event)
      seen.push(`${name} {${known.join(', ')}}`)
    })
  }
  return {
    seen,
    summary: () => ({ seen, ids: ids.size, isText: [...ids].every((id) => typeof id === 'string') }),
  }
}

export const scenarios = {
  'events of a mocked request': async ({ http, HttpResponse, listen, api, ask, later }) => {
    const recorded = record(listen([http.get(`${api}/a`, () => HttpResponse.text('a'))]))
    const answer = await ask(`${api}/a`)
    await later()
    return { answer, ...recorded.summary() }
  },
  'events of an unhandled request': async ({ listen, real, ask, later }) => {
    const recorded = record(listen([], 'bypass'))
    const answer = await ask(`${real}/a`)
    await later()
    return { answer, ...recorded.summary() }
  },
  'events of a request that fails as unhandled': async ({ listen, real, ask, later }) => {
    const recorded = record(listen([], 'error'))
    await ask(`${real}/a`)
    await later()
    return recorded.summary()
  },
  'events of a passthrough': async ({ http, passthrough, listen, real, ask, later }) => {
    const recorded = record(listen([http.get(`${real}/a`, () => passthrough())], 'bypass'))
    const answer = await ask(`${real}/a`)
    await later()
    return { answer, ...recorded.summary() }
  },
  'events of a bypassed request': async ({ http, HttpResponse, bypass, listen, real, ask, later }) => {
    const recorded = record(listen([http.get(`${real}/a`, () => HttpResponse.text('mocked'))], 'bypass'))
    const answer = await ask(bypass(`${real}/a`))
    await later()
    return { answer, ...recorded.summary() }
  },
  'events of a resolver that returns nothing': async ({ http, listen, real, ask, later }) => {
    const recorded = record(listen([http.get(`${real}/a`, () => {})], 'bypass'))
    const answer = await ask(`${real}/a`)
    await later()
    return { answer, ...recorded.summary() }
  },
  'events of a request that two handlers match': async ({ http, HttpResponse, listen, api, ask, later }) => {
    const recorded = record(
      listen([http.get(`${api}/a`, () => {}), http.get(`${api}/a`, () => HttpResponse.text('second'))]),
    )
    const answer = await ask(`${api}/a`)
    await later()
    return { answer, ...recorded.summary() }
  },
  'request:match and the resolver': async ({ http, HttpResponse, listen, api, ask }) => {
    const order = []
    const server = listen([
      http.get(`${api}/a`, () => {
        order.push('resolver')
        return HttpResponse.text('a')
      }),
    ])
    server.events.on('request:match', () => order.push('request:match'))
    await ask(`${api}/a`)
    return order
  },
  'events of a resolver that throws': async ({ http, listen, api, ask, later }) => {
    const recorded = record(
      listen([
        http.get(`${api}/a`, () => {
          throw new TypeError('mine')
        }),
      ]),
    )
    await ask(`${api}/a`)
    await later()
    return recorded.summary()
  },
  'events of a resolver that throws a response': async ({ http, HttpResponse, listen, api, ask, later }) => {
    const recorded = record(
      listen([
        http.get(`${api}/a`, () => {
          throw HttpResponse.text('thrown', { status: 403 })
        }),
      ]),
    )
    const answer = await ask(`${api}/a`)
    await later()
    return { answer, ...recorded.summary() }
  },
  'events of a network error': async ({ http, HttpResponse, listen, api, ask, later }) => {
    const recorded = record(listen([http.get(`${api}/a`, () => HttpResponse.error())]))
    const answer = await ask(`${api}/a`)
    await later()
    return { answer, ...recorded.summary() }
  },
  'listeners read bodies that resolver and client read as well': async ({
    http,
    HttpResponse,
    listen,
    api,
    ask,
    later,
  }) => {
    const server = listen([http.post(`${api}/a`, async ({ request }) => HttpResponse.text(await request.text()))])
    const read = []
    server.events.on('request:start', async ({ request }) => read.push(await request.text()))
    server.events.on('response:mocked', async ({ request, response }) =>
      read.push(await response.text(), await request.clone().text()),
    )
    const answer = await ask(`${api}/a`, { method: 'POST', body: 'x' })
    await later()
    return { answer, read }
  },
  'the URL of a response in an event': async ({ http, HttpResponse, listen, api, ask, later }) => {
    const server = listen([http.get(`${api}/a`, () => HttpResponse.text('a'))])
    let url
    server.events.on('response:mocked', ({ response }) => (url = response.url))
    await ask(`${api}/a`)
    await later()
    return url
  },
  'the same id in every event and in the resolver': async ({ http, HttpResponse, listen, api, ask, later }) => {
    const ids = new Set()
    const server = listen([
      http.get(`${api}/a`, ({ requestId }) => {
        ids.add(requestId)
        return HttpResponse.text('a')
      }),
    ])
    server.events.on('request:start', ({ requestId }) => ids.add(requestId))
    server.events.on('response:mocked', ({ requestId }) => ids.add(requestId))
    await ask(`${api}/a`)
    await later()
    return ids.size
  },
  'once, removeListener and removeAllListeners': async ({ http, HttpResponse, listen, api, ask }) => {
    const server = listen([http.get(`${api}/a`, () => HttpResponse.text('a'))])
    const calls = []
    const removed = () => calls.push('removed')
    server.events.once('request:start', () => calls.push('once'))
    server.events.on('request:start', removed)
    server.events.on('request:start', () => calls.push('on'))
    server.events.removeListener('request:start', removed)
    await ask(`${api}/a`)
    await ask(`${api}/a`)
    calls.push('--')
    server.events.removeAllListeners()
    await ask(`${api}/a`)
    return calls
  },
  'removeAllListeners of one event': async ({ http, HttpResponse, listen, api, ask }) => {
    const server = listen([http.get(`${api}/a`, () => HttpResponse.text('a'))])
    const calls = []
    server.events.on('request:start', () => calls.push('start'))
    server.events.on('request:end', () => calls.push('end'))
    server.events.removeAllListeners('request:start')
    await ask(`${api}/a`)
    return calls
  },
  'the same listener added twice': async ({ http, HttpResponse, listen, api, ask }) => {
    const server = listen([http.get(`${api}/a`, () => HttpResponse.text('a'))])
    let calls = 0
    const listener = () => calls++
    server.events.on('request:start', listener)
    server.events.on('request:start', listener)
    await ask(`${api}/a`)
    return calls
  },
  'a listener that throws': async ({ http, HttpResponse, listen, api, ask, later }) => {
    const server = listen([http.get(`${api}/a`, () => HttpResponse.text('a'))])
    server.events.on('request:start', () => {
      throw new Error('of a listener')
    })
    const answer = await ask(`${api}/a`)
    await later()
    return answer
  },
  'listeners after close and a second listen': async ({ http, HttpResponse, listen, api, ask }) => {
    const server = listen([http.get(`${api}/a`, () => HttpResponse.text('a'))])
    let calls = 0
    server.events.on('request:start', () => calls++)
    await ask(`${api}/a`)
    server.close()
    server.listen()
    await ask(`${api}/a`)
    return calls
  },
  'a listener before listen': async ({ http, HttpResponse, setupServer, api, ask }) => {
    const server = setupServer(http.get(`${api}/a`, () => HttpResponse.text('a')))
    let calls = 0
    server.events.on('request:start', () => calls++)
    server.listen()
    await ask(`${api}/a`)
    server.close()
    return calls
  },
  'finalize runs before the client has read the response': async ({ http, HttpResponse, listen, api, later }) => {
    const log = []
    const server = listen([
      http.get(`${api}/a`, ({ finalize }) => {
        finalize?.(() => log.push('finalize'))
        log.push('resolver')
        return HttpResponse.text('a')
      }),
    ])
    server.events.on('response:mocked', () => log.push('response:mocked'))
    const response = await fetch(`${api}/a`)
    log.push('response')
    await response.text()
    log.push('body')
    await later()
    return log
  },
}
