/** Bodies of requests and responses: every way to write one and to read it. */

/** A handler of `POST /a` that reads the body, and the request that is sent to it. */
const reading = (read, init) => async (kit) => {
  kit.listen([kit.http.post(`${kit.api}/a`, async (info) => kit.HttpResponse.json(await read(info)))])
  return kit.ask(`${kit.api}/a`, { method: 'POST', ...(typeof init === 'function' ? init() : init) })
}

/** A handler of `GET /a` whose response the client reads. */
const sending = (createResponse, read) => async (kit) => {
  kit.listen([kit.http.get(`${kit.api}/a`, (info) => createResponse(kit, info))])
  const response = await fetch(`${kit.api}/a`)
  return { type: response.headers.get('content-type'), body: await read(response) }
}

const bytes = (text) => new TextEncoder().encode(text)

/** A stream of texts, one after the other. */
function streamOf(...texts) {
  return new ReadableStream({
    async start(controller) {
      for (const text of texts) {
        await new Promise((resolve) => setTimeout(resolve, 5))
        controller.enqueue(bytes(text))
      }
      controller.close()
    },
  })
}

async function readChunks(response) {
  const chunks = []
  for await (const chunk of response.body) chunks.push(new TextDecoder().decode(chunk))
  return chunks
}

function createForm() {
  const form = new FormData()
  form.append('name', 'Ada')
  form.append('name', 'Bob')
  form.append('file', new File(['content'], 'a.txt', { type: 'text/plain' }))
  return form
}

const describeForm = async (form) =>
  Promise.all(
    [...form].map(async ([name, value]) => [
      name,
      typeof value === 'string' ? value : [value.name, value.type, await value.text()],
    ]),
  )

export const scenarios = {
  'request.json()': reading(({ request }) => request.json(), {
    body: '{"a":[1,null,"ä"]}',
    headers: { 'Content-Type': 'application/json' },
  }),
  'request.json() of a body without a type': reading(({ request }) => request.json(), { body: '{"a":1}' }),
  'request.json() of no JSON': reading(({ request }) => request.json().catch((error) => error.name), { body: '{' }),
  'request.text()': reading(({ request }) => request.text(), { body: 'ä€' }),
  'request.text() of no body': reading(({ request }) => request.text(), {}),
  'request.formData() of a form': reading(
    async ({ request }) => describeForm(await request.formData()),
    () => ({
      body: createForm(),
    }),
  ),
  'request.formData() of URL parameters': reading(async ({ request }) => [...(await request.formData())], {
    body: new URLSearchParams('a=1&a=2&b=%20'),
  }),
  'request.formData() of text': reading(({ request }) => request.formData().catch((error) => error.name), {
    body: 'text',
  }),
  'request.arrayBuffer()': reading(async ({ request }) => [...new Uint8Array(await request.arrayBuffer())], {
    body: new Uint8Array([0, 255, 10]),
  }),
  'request.blob()': reading(
    async ({ request }) => {
      const blob = await request.blob()
      return [blob.type, blob.size, await blob.text()]
    },
    { body: new Blob(['abc'], { type: 'text/x-mine' }) },
  ),
  'request.body as a stream': reading(
    async ({ request }) => {
      let text = ''
      for await (const chunk of request.body) text += new TextDecoder().decode(chunk)
      return text
    },
    { body: 'streamed' },
  ),
  'a stream as the body of a request': reading(
    ({ request }) => request.text(),
    () => ({
      body: streamOf('a', 'b'),
      duplex: 'half',
    }),
  ),
  'a body that is read twice': reading(
    async ({ request }) => {
      await request.text()
      return request.text().catch((error) => error.name)
    },
    { body: 'x' },
  ),
  'a clone of a request': reading(async ({ request }) => [await request.clone().text(), await request.text()], {
    body: 'x',
  }),
  'the body in two handlers': async ({ http, HttpResponse, listen, api, ask }) => {
    const read = []
    listen([
      http.post(`${api}/a`, async ({ request }) => {
        read.push(await request.clone().text())
      }),
      http.post(`${api}/a`, async ({ request }) => HttpResponse.text(`${read} ${await request.text()}`)),
    ])
    return ask(`${api}/a`, { method: 'POST', body: 'x' })
  },
  'the type that a client adds': reading(
    ({ request }) => request.headers.get('content-type')?.split(';')[0] ?? null,
    () => ({
      body: createForm(),
    }),
  ),
  'the body of a request that passes through': async ({ http, passthrough, listen, real, ask }) => {
    const read = []
    listen([
      http.post(`${real}/a`, async ({ request }) => {
        read.push(await request.clone().text())
        return passthrough()
      }),
    ])
    return [await ask(`${real}/a`, { method: 'POST', body: 'x' }), read]
  },

  'a text for a client': sending(
    ({ HttpResponse }) => HttpResponse.text('ä€'),
    (response) => response.text(),
  ),
  'JSON for a client': sending(
    ({ HttpResponse }) => HttpResponse.json({ a: [1, null, 'ä'] }),
    (response) => response.json(),
  ),
  'JSON of null, a number, a text and a boolean': async ({ http, HttpResponse, listen, api }) => {
    const values = [null, 0, 'text', false, []]
    listen([http.get(`${api}/:index`, ({ params }) => HttpResponse.json(values[params.index]))])
    return Promise.all(values.map(async (_value, index) => (await fetch(`${api}/${index}`)).json()))
  },
  'a buffer': sending(
    ({ HttpResponse }) => HttpResponse.arrayBuffer(bytes('abc').buffer),
    async (response) => new Uint8Array(await response.arrayBuffer()).length,
  ),
  'a buffer with a type': sending(
    ({ HttpResponse }) => HttpResponse.arrayBuffer(bytes('abc').buffer, { headers: { 'Content-Type': 'image/png' } }),
    async (response) => (await response.blob()).type,
  ),
  'an array of bytes': sending(
    ({ HttpResponse }) => new HttpResponse(bytes('abc')),
    (response) => response.text(),
  ),
  'a blob': sending(
    ({ HttpResponse }) => new HttpResponse(new Blob(['abc'], { type: 'text/x-mine' })),
    (response) => response.text(),
  ),
  'URL parameters': sending(
    ({ HttpResponse }) => new HttpResponse(new URLSearchParams('a=1')),
    (response) => response.text(),
  ),
  'a form': async ({ http, HttpResponse, listen, api }) => {
    listen([http.get(`${api}/a`, () => HttpResponse.formData(createForm()))])
    const response = await fetch(`${api}/a`)
    return [response.headers.get('content-type').split(';')[0], await describeForm(await response.formData())]
  },
  'a stream': sending(({ HttpResponse }) => new HttpResponse(streamOf('a', 'b')), readChunks),
  'a stream with a type and a status': async ({ http, HttpResponse, listen, api }) => {
    listen([
      http.get(
        `${api}/a`,
        () => new HttpResponse(streamOf('a'), { status: 206, headers: { 'Content-Type': 'text/x-mine' } }),
      ),
    ])
    const response = await fetch(`${api}/a`)
    return [response.status, response.headers.get('content-type'), await response.text()]
  },
  'a stream that fails': sending(
    ({ HttpResponse }) =>
      new HttpResponse(
        new ReadableStream({
          async start(controller) {
            controller.enqueue(bytes('a'))
            await new Promise((resolve) => setTimeout(resolve, 5))
            controller.error(new TypeError('mine'))
          },
        }),
      ),
    (response) =>
      response.text().then(
        () => 'read',
        () => 'failed',
      ),
  ),
  'the body of the real response': async ({ http, HttpResponse, bypass, listen, real, ask }) => {
    listen([
      http.get(`${real}/a`, async ({ request }) => {
        const response = await fetch(bypass(request))
        return new HttpResponse(response.body, response)
      }),
    ])
    return ask(`${real}/a`)
  },
  'JSON with another type and length': async ({ http, HttpResponse, listen, api }) => {
    listen([
      http.get(`${api}/a`, () =>
        HttpResponse.json({ a: 1 }, { headers: { 'content-type': 'application/problem+json' } }),
      ),
    ])
    const response = await fetch(`${api}/a`)
    return [response.headers.get('content-type'), response.headers.get('content-length'), await response.json()]
  },
  'headers as an object, a list and Headers': async ({ http, HttpResponse, listen, api }) => {
    const inits = [
      { 'X-A': '1' },
      [
        ['X-A', '1'],
        ['X-A', '2'],
      ],
      new Headers({ 'X-A': '1' }),
    ]
    listen([http.get(`${api}/:index`, ({ params }) => HttpResponse.text('a', { headers: inits[params.index] }))])
    return Promise.all(
      inits.map(async (_init, index) => {
        const { headers } = await fetch(`${api}/${index}`)
        return [headers.get('x-a'), headers.get('content-type')]
      }),
    )
  },
  'the texts of registered statuses': async ({ HttpResponse }) =>
    Array.from({ length: 309 }, (_, index) => new HttpResponse(null, { status: index + 200 }).statusText),

  'what HttpResponse is': async ({ HttpResponse }) => {
    const response = HttpResponse.json({ a: 1 }, { status: 201 })
    return {
      isResponse: response instanceof Response,
      isHttpResponse: response instanceof HttpResponse,
      name: HttpResponse.name,
      ok: response.ok,
      type: response.type,
      statusText: response.statusText,
      bodyUsed: response.bodyUsed,
      error: [HttpResponse.error().type, HttpResponse.error().status],
      redirect: [
        HttpResponse.redirect('http://localhost/b').status,
        HttpResponse.redirect('http://localhost/b', 301).headers.get('location'),
      ],
    }
  },
  'an impossible status of a redirect': async ({ HttpResponse }) => {
    try {
      HttpResponse.redirect('http://localhost/b', 200)
      return 'no error'
    } catch (error) {
      return error.name
    }
  },
}
