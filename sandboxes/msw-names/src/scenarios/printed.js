/** The output on the console. Only methods, URLs and the number of lines are compared. */

const summary = (printed, ...parts) =>
  printed().map(([method, text]) => [method, ...parts.filter((part) => text.includes(part))])

const fail = async (promise) =>
  promise.then(
    () => 'answered',
    (error) => error.name,
  )

export const scenarios = {
  'an unhandled request, strategy warn': async ({ listen, real, printed }) => {
    listen([], 'warn')
    await fetch(`${real}/users?x=1`)
    return summary(printed, 'GET', '/users?x=1')
  },
  'an unhandled request with a body': async ({ listen, real, printed }) => {
    listen([], 'warn')
    await fetch(`${real}/users`, { method: 'POST', body: '{"secret":1}' })
    return summary(printed, 'POST', '/users')
  },
  'an unhandled request, strategy error': async ({ listen, real, printed }) => {
    listen([], 'error')
    await fail(fetch(`${real}/users`))
    return summary(printed, 'GET', '/users')
  },
  'two unhandled requests': async ({ listen, real, printed }) => {
    listen([], 'warn')
    await fetch(`${real}/one`)
    await fetch(`${real}/one`)
    return printed().length
  },
  'a mocked request prints nothing': async ({ http, HttpResponse, listen, api, printed }) => {
    listen([http.get(`${api}/a`, () => HttpResponse.text('a'))])
    await fetch(`${api}/a`)
    return printed().length
  },
  'a thrown error': async ({ http, listen, api, printed }) => {
    listen([
      http.get(`${api}/a`, () => {
        throw new Error('mine')
      }),
    ])
    await fetch(`${api}/a`)
    return summary(printed).slice(0, 1)
  },
  'a thrown response and a network error print nothing': async ({ http, HttpResponse, listen, api, printed }) => {
    listen([
      http.get(`${api}/a`, () => {
        throw HttpResponse.text('a')
      }),
      http.get(`${api}/b`, () => HttpResponse.error()),
    ])
    await fetch(`${api}/a`)
    await fail(fetch(`${api}/b`))
    return printed().length
  },
  'a search in a path': async ({ http, HttpResponse, printed, api }) => {
    http.get(`${api}/a?x=1`, () => HttpResponse.text('a'))
    return summary(printed, `${api}/a?x=1`)
  },
  'use() of the same handler': async ({ http, HttpResponse, listen, api, ask, printed }) => {
    const handler = http.get(`${api}/a`, () => HttpResponse.text('a'))
    const server = listen([handler])
    server.use(handler)
    return [await ask(`${api}/a`), printed().length]
  },
  'strategies of each listen()': async ({ setupServer, library, real, printed }) => {
    const server = setupServer()
    const option = library === 'msw-3' ? 'onUnhandledFrame' : 'onUnhandledRequest'
    const counts = []
    for (const strategy of ['bypass', 'warn', 'error']) {
      server.listen({ [option]: strategy })
      const outcome = await fail(fetch(`${real}/a`))
      server.close()
      counts.push([outcome === 'answered', printed().length])
    }
    return counts
  },
  'a callback that waits': async ({ listen, real, ask, later }) => {
    const log = []
    listen([], async () => {
      await later(10)
      log.push('callback')
    })
    log.push(await ask(`${real}/a`))
    return log
  },
  'a callback and common assets': async ({ listen, real, ask }) => {
    let calls = 0
    listen([], () => {
      calls++
    })
    await ask(`${real}/a.png`)
    return calls
  },
}
