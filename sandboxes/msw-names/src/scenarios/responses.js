/** The responses that clients get. */

/** A response as data. */
async function describe(promise) {
  try {
    const response = await promise
    return {
      status: response.status,
      statusText: response.statusText,
      url: response.url,
      redirected: response.redirected,
      headers: [...response.headers].filter(([name]) => name !== 'date'),
      text: await response.text(),
    }
  } catch (error) {
    return error.name
  }
}

/** One handler of `GET /a` whose response is described. */
const answering = (createResponse, init) => async (kit) => {
  kit.listen([kit.http.all(`${kit.api}/a`, (info) => createResponse(kit, info))], 'error')
  return describe(fetch(`${kit.api}/a`, init))
}

export const scenarios = {
  text: answering(({ HttpResponse }) => HttpResponse.text('ä')),
  json: answering(({ HttpResponse }) => HttpResponse.json({ a: 1 })),
  'json of nothing': answering(({ HttpResponse }) => HttpResponse.json(undefined)),
  'json with another type': answering(({ HttpResponse }) =>
    HttpResponse.json({ a: 1 }, { headers: { 'Content-Type': 'application/hal+json' } }),
  ),
  xml: answering(({ HttpResponse }) => HttpResponse.xml('<a/>')),
  html: answering(({ HttpResponse }) => HttpResponse.html('<p>a')),
  arrayBuffer: answering(({ HttpResponse }) => HttpResponse.arrayBuffer(new TextEncoder().encode('a').buffer)),
  'no body': answering(({ HttpResponse }) => new HttpResponse()),
  204: answering(({ HttpResponse }) => new HttpResponse(null, { status: 204 })),
  '204 with an empty text': answering(({ HttpResponse }) => new HttpResponse('', { status: 204 })),
  '205 with a text': answering(({ HttpResponse }) => new HttpResponse('a', { status: 205 })),
  'status and body of 204 with JSON': async (kit) => {
    const { status, text } = await answering(({ HttpResponse }) => HttpResponse.json({}, { status: 204 }))(kit)
    return [status, text]
  },
  '404 without a text': answering(({ HttpResponse }) => new HttpResponse(null, { status: 404 })),
  'a status text': answering(({ HttpResponse }) => new HttpResponse('a', { status: 299, statusText: 'Mine' })),
  'a text that is a number': answering(({ HttpResponse }) => HttpResponse.text(15)),
  'the status of another response': answering(
    ({ HttpResponse }) => new HttpResponse('a', new Response('b', { status: 404, headers: { 'X-A': '1' } })),
  ),
  'status 600': answering(({ HttpResponse }) => new HttpResponse('a', { status: 600 })),
  'a plain Response': answering(() => new Response('a', { headers: { 'X-A': '1' } })),
  'Response.json': answering(() => Response.json({ a: 1 }, { status: 201 })),
  'the type of a response': async ({ http, HttpResponse, listen, api }) => {
    listen([http.get(`${api}/a`, () => HttpResponse.text('a'))])
    return (await fetch(`${api}/a`)).type
  },
  'two cookies': answering(
    ({ HttpResponse }) =>
      new HttpResponse('a', {
        headers: [
          ['Set-Cookie', 'a=1'],
          ['Set-Cookie', 'b=2'],
        ],
      }),
  ),
  'HttpResponse.error()': answering(({ HttpResponse }) => HttpResponse.error()),
  'Response.error()': answering(() => Response.error()),
  'a thrown error': async ({ http, listen, api }) => {
    listen([
      http.get(`${api}/a`, () => {
        throw new TypeError('mine')
      }),
    ])
    const response = await fetch(`${api}/a`)
    const body = await response.json()
    return { status: response.status, keys: Object.keys(body), name: body.name, message: body.message }
  },
  'a thrown text': async ({ http, listen, api }) => {
    listen([
      http.get(`${api}/a`, () => {
        // oxlint-disable-next-line typescript/only-throw-error -- the scenario tests this
        throw 'mine'
      }),
    ])
    const response = await fetch(`${api}/a`)
    return { status: response.status }
  },
  'the status text of a thrown error': async ({ http, listen, api }) => {
    listen([
      http.get(`${api}/a`, () => {
        throw new Error('mine')
      }),
    ])
    return (await fetch(`${api}/a`)).statusText
  },
  'a thrown response': answering(({ HttpResponse }) => {
    throw HttpResponse.text('thrown', { status: 403 })
  }),
  'a returned object that is not a response': async ({ http, listen, api, ask }) => {
    listen([http.get(`${api}/a`, () => ({ a: 1 }))])
    return (await ask(`${api}/a`)).slice(0, 9)
  },
  'HEAD with a body in the response': async ({ http, HttpResponse, listen, api }) => {
    listen([http.head(`${api}/a`, () => HttpResponse.text('body'))], 'error')
    return describe(fetch(`${api}/a`, { method: 'HEAD' }))
  },
  'HEAD against a GET handler': async ({ http, HttpResponse, listen, real }) => {
    listen([http.get(`${real}/a`, () => HttpResponse.text('body'))], 'bypass')
    return (await fetch(`${real}/a`, { method: 'HEAD' })).headers.get('x-from')
  },
  'a relative Location': async ({ http, HttpResponse, listen, api }) => {
    listen([
      http.get(`${api}/a`, () => new HttpResponse(null, { status: 302, headers: { Location: '/b' } })),
      http.get(`${api}/b`, () => HttpResponse.text('b')),
    ])
    return describe(fetch(`${api}/a`))
  },
  'a relative Location that is not followed': async ({ http, HttpResponse, listen, api }) => {
    listen([http.get(`${api}/a`, () => new HttpResponse(null, { status: 302, headers: { Location: '/b' } }))])
    return describe(fetch(`${api}/a`, { redirect: 'manual' }))
  },
  'a redirect that is an error': async ({ http, HttpResponse, listen, api }) => {
    listen([http.get(`${api}/a`, () => HttpResponse.redirect(`${api}/b`))])
    return describe(fetch(`${api}/a`, { redirect: 'error' }))
  },
  'a redirect of POST': async ({ http, HttpResponse, listen, api }) => {
    listen([
      http.post(`${api}/a`, () => HttpResponse.redirect(`${api}/b`, 303)),
      http.all(`${api}/b`, async ({ request }) => HttpResponse.text(`${request.method} ${await request.text()}`)),
    ])
    return describe(fetch(`${api}/a`, { method: 'POST', body: 'x' }))
  },
  'a redirect of POST that keeps the body': async ({ http, HttpResponse, listen, api }) => {
    listen([
      http.post(`${api}/a`, () => HttpResponse.redirect(`${api}/b`, 307)),
      http.all(`${api}/b`, async ({ request }) => HttpResponse.text(`${request.method} ${await request.text()}`)),
    ])
    return describe(fetch(`${api}/a`, { method: 'POST', body: 'x' }))
  },
  'a redirect loop': async ({ http, HttpResponse, listen, api }) => {
    // MSW 2 follows forever.
    let count = 0
    listen([http.get(`${api}/a`, () => (++count > 50 ? HttpResponse.text('end') : HttpResponse.redirect(`${api}/a`)))])
    return describe(fetch(`${api}/a`))
  },
}
