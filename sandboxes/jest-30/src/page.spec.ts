/** APIs of a page that jsdom lacks. */
import { http, HttpResponse } from '@understudy/engine'

import { server } from './mocks/server'
import { listFound, showClaimForm } from './office'

async function claim(name: string): Promise<string> {
  showClaimForm(document.body)
  document.querySelector('input')!.value = name
  document.querySelector('button')!.click()
  const output = document.querySelector('output')!
  await new Promise<void>((resolve) => {
    new MutationObserver(() => resolve()).observe(output, { childList: true })
  })
  return output.textContent
}

test('a form is refused, and then accepted', async () => {
  expect(await claim('')).toBe('Say who you are.')
  expect(await claim('Ada')).toBe('It waits for Ada.')
})

test('an aborted request', async () => {
  const controller = new AbortController()
  server.use(http.get('/api/found', () => new Promise(() => controller.abort())))
  await expect(listFound(controller.signal)).rejects.toThrow(expect.objectContaining({ name: 'AbortError' }))
  await expect(listFound(controller.signal)).rejects.toThrow(expect.objectContaining({ name: 'AbortError' }))
})

test('XMLHttpRequest', async () => {
  const xhr = new XMLHttpRequest()
  xhr.open('GET', '/api/found')
  xhr.responseType = 'json'
  await new Promise((resolve) => {
    xhr.onloadend = resolve
    xhr.send()
  })
  expect([xhr.status, xhr.response]).toEqual([200, [{ id: 1, what: 'One umbrella' }]])
})

test('bodies and their parts', async () => {
  server.use(
    http.post('/api/files', async ({ request }) => {
      const file = (await request.formData()).get('file') as File
      return HttpResponse.json([file.name, file.type, await file.text()])
    }),
    http.get('/api/stream', () => new HttpResponse(new Blob(['in ', 'parts']).stream())),
  )
  const body = new FormData()
  body.set('file', new File(['text'], 'notes.txt', { type: 'text/plain' }))
  expect(await (await fetch('/api/files', { method: 'POST', body })).json()).toEqual([
    'notes.txt',
    'text/plain',
    'text',
  ])
  const reader = (await fetch(new Request('/api/stream'))).body!.pipeThrough(new TextDecoderStream()).getReader()
  expect((await reader.read()).value).toContain('in')
  expect(new TextDecoder().decode(new TextEncoder().encode('ü'))).toBe('ü')
  expect(structuredClone({ a: 1 })).toEqual({ a: 1 })
})

test('elements still accept the page’s own classes', () => {
  const controller = new AbortController()
  let clicks = 0
  document.body.addEventListener('click', () => (clicks += 1), { signal: controller.signal })
  document.body.click()
  controller.abort()
  document.body.click()
  expect(clicks).toBe(1)
})

test('search parameters as a body', async () => {
  server.use(
    http.post('/api/search', async ({ request }) =>
      HttpResponse.json([request.headers.get('content-type'), await request.text()]),
    ),
  )
  const expected = ['application/x-www-form-urlencoded;charset=UTF-8', 'a=%C3%BC']
  const init = { method: 'POST', body: new URLSearchParams({ a: 'ü' }) }
  expect(await (await fetch('/api/search', init)).json()).toEqual(expected)
  expect(await (await fetch(new Request('/api/search', init))).json()).toEqual(expected)
})

describe('XMLHttpRequest sends and receives files', () => {
  const file = new File(['text'], 'notes.txt', { type: 'text/plain' })

  function send(body: XMLHttpRequestBodyInit, headers: Record<string, string> = {}): Promise<XMLHttpRequest> {
    const xhr = new XMLHttpRequest()
    xhr.open('POST', '/api/files')
    xhr.responseType = 'blob'
    for (const [name, value] of Object.entries(headers)) xhr.setRequestHeader(name, value)
    return new Promise((resolve) => {
      xhr.onloadend = () => resolve(xhr)
      xhr.send(body)
    })
  }

  test('a form', async () => {
    server.use(
      http.post('/api/files', async ({ request }) => {
        const sent = (await request.formData()).get('file') as File
        return HttpResponse.json([sent.name, sent.type, await sent.text()])
      }),
    )
    const form = new FormData()
    form.set('file', file)
    const xhr = await send(form)
    expect(xhr.responseType).toBe('blob')
    expect(xhr.response).toBeInstanceOf(Blob)
    expect(xhr.response).toBe(xhr.response)
    expect(xhr.response.type).toBe('application/json')
    expect(JSON.parse(await xhr.response.text())).toEqual(['notes.txt', 'text/plain', 'text'])
  })

  test('a file', async () => {
    server.use(
      http.post('/api/files', async ({ request }) =>
        HttpResponse.text(`${request.headers.get('content-type')}: ${await request.text()}`),
      ),
    )
    expect(await (await send(file)).response.text()).toBe('text/plain: text')
    expect(await (await send(file, { 'content-type': 'text/own' })).response.text()).toBe('text/own: text')
    expect(await (await send('text', { 'content-type': 'text/own' })).response.text()).toMatch(/^text\/own.*: text$/)
  })

  test('an aborted form is not sent', async () => {
    let requests = 0
    server.use(
      http.post('/api/files', () => {
        requests += 1
        return new HttpResponse()
      }),
    )
    const form = new FormData()
    form.set('file', file)
    const xhr = new XMLHttpRequest()
    xhr.open('POST', '/api/files')
    xhr.send(form)
    xhr.abort()
    // A request after it that has reached its handler shows that the first one had the time to.
    await send(form)
    expect(requests).toBe(1)
  })
})
