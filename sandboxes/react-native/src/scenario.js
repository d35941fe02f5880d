import { bypass, delay, graphql, http, HttpResponse, passthrough, ws } from '@understudy/engine'
import { setupServer } from '@understudy/engine/native'
import { setupServer as setupServerOfMsw } from '@understudy/msw/native'
import axios from 'axios'

const api = 'https://api.example'
const keptFetch = globalThis.fetch
const KeptXMLHttpRequest = globalThis.XMLHttpRequest
const keptSend = KeptXMLHttpRequest.prototype.send

const server = setupServer(
  http.get(`${api}/user`, () => HttpResponse.json({ name: 'Zoë 💡' })),
  http.get(`${api}/users/:id`, ({ params, request }) =>
    HttpResponse.json(
      { ...params, token: request.headers.get('x-token') },
      { status: 201, headers: { 'X-Page': '1' } },
    ),
  ),
  http.post(`${api}/login`, async ({ request }) => HttpResponse.json({ got: await request.json() })),
  http.post(`${api}/text`, async ({ request }) =>
    HttpResponse.text((await request.clone().text()) + (await request.text())),
  ),
  http.post(`${api}/form`, async ({ request }) => {
    const form = await request.formData()
    return HttpResponse.json({ name: form.get('name'), all: [...form] })
  }),
  http.get(`${api}/bytes`, () => HttpResponse.arrayBuffer(new Uint8Array([1, 2, 250]).buffer)),
  http.get(`${api}/error`, () => HttpResponse.error()),
  http.get(`${api}/slow`, async () => {
    await delay(50)
    return HttpResponse.text('slow')
  }),
  http.get(`${api}/passed`, () => passthrough()),
  http.get(`${api}/patched`, async ({ request }) => {
    const real = await fetch(bypass(request))
    return HttpResponse.json({ ...(await real.json()), patched: true })
  }),
  http.get(`${api}/empty`, () => new HttpResponse(null, { status: 204 })),
  http.get(`${api}/plain`, () => new Response('plain', { status: 203 })),
  http.get(`${api}/object`, () => new HttpResponse({ getReader() {} })),
  http.get(`${api}/cookies`, ({ cookies }) =>
    HttpResponse.json(cookies, {
      headers: [
        ['Set-Cookie', 'a=1; Expires=Fri, 01 Jan 2100 00:00:00 GMT'],
        ['Set-Cookie', 'b=2'],
      ],
    }),
  ),
  http.get(`${api}/turns`, function* () {
    yield new HttpResponse('first')
    return new HttpResponse('last')
  }),
  http.post(`${api}/forwarded`, ({ request }) => fetch(bypass(request))),
  http.head(`${api}/head`, () => HttpResponse.text('1234')),
  http.get(`${api}/moved`, () => HttpResponse.redirect('/user')),
  http.get(`${api}/left`, () => HttpResponse.redirect('https://other.example/ü')),
  graphql.mutation('Upload', ({ variables, request }) =>
    HttpResponse.json({ data: { name: variables.file.name, type: request.headers.get('content-type') } }),
  ),
  graphql.query('GetUser', ({ variables }) => HttpResponse.json({ data: { user: variables.id } })),
)

const results = {}

/** Stores what a case returns or throws, with the requests that reached the network. */
async function run(name, act) {
  let result
  try {
    result = await act()
  } catch (error) {
    result = `${error.name}: ${error.message}`
  }
  const sent = globalThis.sentRequests.splice(0)
  results[name] = { result, sent: sent.map(describeSent) }
}

function describeSent({ method, url, headers, data }) {
  const body = data?.formData ? `form with ${JSON.stringify(headers)}` : (data?.string ?? '')
  return `${method} ${url} ${body}`
}

async function read(response) {
  return [response.status, response.url, await response.text()]
}

/** Sends an XMLHttpRequest, and returns its status, body, events, headers and URL. */
function send(
  method,
  url,
  { Class = XMLHttpRequest, body, responseType = '', headers = {}, timeout = 0, abortAfter } = {},
) {
  return new Promise((resolve) => {
    const xhr = new Class()
    const seen = []
    xhr.open(method, url)
    xhr.responseType = responseType
    xhr.timeout = timeout
    for (const name in headers) xhr.setRequestHeader(name, headers[name])
    xhr.onreadystatechange = () => seen.push(xhr.readyState)
    for (const name of ['load', 'error', 'abort', 'timeout', 'loadend']) xhr[`on${name}`] = () => seen.push(name)
    xhr.addEventListener('loadend', () => {
      let { response } = xhr
      if (responseType === 'arraybuffer' && response) response = [...new Uint8Array(response)]
      if (responseType === 'blob' && response) response = [response.size, response.type]
      resolve([xhr.status, response, seen.join(' '), xhr.getAllResponseHeaders(), xhr.responseURL])
    })
    xhr.send(body)
    if (abortAfter !== undefined) setTimeout(() => xhr.abort(), abortAfter)
  })
}

async function main() {
  await run("React Native's own URL", () => readListenError(server))
  await runWithPolyfill()
}

function readListenError(each) {
  const { URL: polyfilled } = globalThis
  globalThis.URL = require('react-native/Libraries/Blob/URL').URL
  try {
    each.listen()
    return 'listens'
  } catch (error) {
    return error.message
  } finally {
    globalThis.URL = polyfilled
  }
}

async function runWithPolyfill() {
  const heard = []
  server.listen()
  await run('JSON', async () => (await fetch(`${api}/user`)).json())
  await run('parameters', async () => {
    const response = await fetch(`${api}/users/7`, { headers: { 'X-Token': 'secret' } })
    return [
      response.status,
      response.ok,
      response.headers.get('x-page'),
      response instanceof Response,
      await response.json(),
    ]
  })
  await run('a Request', async () =>
    read(await fetch(new Request(`${api}/login`, { method: 'POST', body: '{"n":"ü"}' }))),
  )
  await run('text', async () => read(await fetch(`${api}/text`, { method: 'POST', body: 'é' })))
  await run('a form', async () => {
    const form = new FormData()
    form.append('name', 'Zoë')
    return (await fetch(`${api}/form`, { method: 'POST', body: form })).json()
  })
  await run('URL parameters', async () => {
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }
    return (await fetch(`${api}/form`, { method: 'POST', headers, body: 'name=a+b%C3%A9' })).json()
  })
  await run('bytes', async () => [...new Uint8Array(await (await fetch(`${api}/bytes`)).arrayBuffer())])
  await run('a blob', async () => (await (await fetch(`${api}/user`)).blob()).size)
  await run('a network error', async () => read(await fetch(`${api}/error`)))
  await run('a delay', async () => read(await fetch(`${api}/slow`)))
  await run('an abort', async () => {
    const controller = new AbortController()
    setTimeout(() => controller.abort(), 5)
    return read(await fetch(`${api}/slow`, { signal: controller.signal }))
  })
  await run('passthrough', async () => read(await fetch(`${api}/passed`)))
  await run('bypass', async () => read(await fetch(`${api}/patched`)))
  await run('no body', async () => read(await fetch(`${api}/empty`)))
  await run('a platform response', async () => read(await fetch(`${api}/plain`)))
  await run('a body that Response cannot hold', async () => read(await fetch(`${api}/object`)))
  await run('cookies', async () => {
    await fetch(`${api}/cookies`)
    await fetch(`${api}/cookies`)
    return (await fetch(`${api}/cookies`)).json()
  })
  await run('a generator', async () => {
    const texts = []
    for (let turn = 0; turn < 4; turn += 1) texts.push(await (await fetch(`${api}/turns`)).text())
    return texts
  })
  await run('a redirect', async () => read(await fetch(`${api}/moved`)))
  await run('a redirect to the network', async () => read(await fetch(`${api}/left`)))
  await run('GraphQL', async () => {
    const body = JSON.stringify({ query: 'query GetUser { user }', variables: { id: 3 } })
    const headers = { 'Content-Type': 'application/json' }
    return (await fetch(`${api}/graphql`, { method: 'POST', headers, body })).json()
  })
  await run('a GraphQL upload', async () => {
    const body = new FormData()
    body.append('operations', JSON.stringify({ query: 'mutation Upload { upload }', variables: { file: null } }))
    body.append('map', '{"0":["variables.file"]}')
    body.append('0', { uri: 'file:///a.png', name: 'a.png', type: 'image/png' })
    return (await fetch(`${api}/graphql`, { method: 'POST', body })).json()
  })
  await run('forms to the network', async () => {
    const body = new FormData()
    body.append('name', 'Zoë')
    await fetch('https://other.example/x', { method: 'POST', body })
    await fetch(`${api}/forwarded`, { method: 'POST', body })
    await send('POST', `${api}/forwarded`, { body })
    await send('POST', 'https://other.example/x', { body })
  })
  globalThis.printed.splice(0)
  await run('an unhandled request', async () =>
    read(await fetch('https://other.example/x', { method: 'POST', body: 'B' })),
  )
  results['its warning'] = globalThis.printed.splice(0)
  await run('a kept fetch', async () => read(await keptFetch(`${api}/user`)))
  await run('axios', async () => {
    const { status, data, headers } = await axios.post(`${api}/login`, { a: 1 })
    return [status, data, headers['content-type']]
  })
  await run('axios with an error', () => axios.get(`${api}/error`))

  await run('XHR: JSON', () => send('GET', `${api}/user`, { responseType: 'json' }))
  await run('XHR: headers', () => send('GET', `${api}/users/9`, { headers: { 'X-Token': 't' } }))
  await run('XHR: text', () => send('POST', `${api}/text`, { body: 'é' }))
  await run('XHR: bytes', () => send('GET', `${api}/bytes`, { responseType: 'arraybuffer' }))
  await run('XHR: bytes of a text', () => send('POST', `${api}/text`, { body: 'é', responseType: 'arraybuffer' }))
  await run('XHR: a blob', () => send('GET', `${api}/user`, { responseType: 'blob' }))
  globalThis.printed.splice(0)
  await run('XHR: bytes as a blob', () => send('GET', `${api}/bytes`, { responseType: 'blob' }))
  results['its error'] = globalThis.printed.splice(0)
  await run('XHR: HEAD', () => send('HEAD', `${api}/head`))
  await run('HEAD', async () => read(await fetch(`${api}/head`, { method: 'HEAD' })))
  await run('XHR: a network error', () => send('GET', `${api}/error`))
  await run('XHR: an abort', () => send('GET', `${api}/slow`, { abortAfter: 5 }))
  await run('XHR: a time-out', () => send('GET', `${api}/slow`, { timeout: 5 }))
  await run('XHR: a redirect to the network', () => send('GET', `${api}/left`))
  await run('XHR: unhandled', () => send('PUT', 'https://other.example/z', { body: 'B', headers: { 'X-Token': 't' } }))
  await run('XHR: a kept class', () => send('GET', `${api}/user`, { Class: KeptXMLHttpRequest }))

  for (const name of ['request:start', 'request:match', 'request:unhandled', 'request:end']) {
    server.events.on(name, ({ request }) => heard.push([name, request.method, request.url]))
  }
  for (const name of ['response:mocked', 'response:bypass']) {
    server.events.on(name, ({ request, response }) => {
      const entry = [name, request.method, request.url]
      heard.push(entry)
      response.text().then((text) => entry.push(response.status, text))
    })
  }
  await run('events', async () => {
    await read(await fetch(`${api}/user`))
    await read(await fetch(`${api}/plain`))
    await read(await fetch('https://other.example/x'))
    await send('GET', 'https://other.example/z', { responseType: 'json' })
    await send('GET', `${api}/plain`)
    await new Promise((resolve) => setTimeout(resolve, 20))
    return heard
  })
  server.events.removeAllListeners()

  server.use(http.get(`${api}/user`, () => HttpResponse.text('once'), { once: true }))
  await run('use', async () => [await read(await fetch(`${api}/user`)), await read(await fetch(`${api}/user`))])
  server.use(http.get(`${api}/user`, () => HttpResponse.text('until the reset')))
  server.resetHandlers()
  await run('resetHandlers', async () => read(await fetch(`${api}/user`)))

  server.listen({ onUnhandledRequest: 'error' })
  await run('the policy "error"', async () => read(await fetch('https://other.example/x')))
  await run('XHR: the policy "error"', () => send('GET', 'https://other.example/x'))
  await run('a boundary', () => server.boundary(() => {}))
  globalThis.printed.splice(0)
  server.use(ws.link('wss://chat.example').addEventListener('connection', () => {}))
  server.resetHandlers()
  results['a WebSocket handler'] = globalThis.printed.splice(0)

  const second = setupServerOfMsw(http.get(`${api}/second`, () => HttpResponse.text('second')))
  second.listen({ onUnhandledRequest: 'bypass' })
  await run('a second server', async () => [
    await read(await fetch(`${api}/second`)),
    (await read(await fetch(`${api}/user`)))[2],
    (await send('GET', `${api}/second`))[1],
    (await send('GET', `${api}/plain`))[1],
  ])
  server.close()
  await run('the first server closed', async () => [
    await read(await fetch(`${api}/second`)),
    (await send('GET', `${api}/second`))[1],
    await read(await fetch(`${api}/user`)),
  ])
  second.close()
  await run('both closed', async () => [
    await read(await fetch(`${api}/second`)),
    (await send('GET', `${api}/user`))[1],
  ])
  server.listen({ onUnhandledRequest: 'bypass' })
  await run('listening again', async () => [
    await read(await fetch(`${api}/user`)),
    (await send('GET', `${api}/user`))[1],
  ])
  server.close()
  const { prototype } = KeptXMLHttpRequest
  results['restored'] = [globalThis.fetch === keptFetch, prototype.send === keptSend]
}

main()
  .catch((error) => (results['failed'] = `${error}\n${error.stack}`))
  .then(() => print(JSON.stringify(results)))
