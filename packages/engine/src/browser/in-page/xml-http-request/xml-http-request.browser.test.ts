import { expect, test, vi } from 'vitest'

import { delay } from '../../../core/responses/delay.ts'
import { HttpResponse } from '../../../core/responses/http-response.ts'
import { http } from '../../../http/http.ts'
import { describeSources } from '../../testing/describe-sources.ts'
import { ended, record, send } from './testing/send.ts'

const bytes = new Uint8Array([0, 255, 128, 10, 13, 195, 40])

describeSources('an XMLHttpRequest', ({ isWorker, use }) => {
  test('has all states until load and loadend', async () => {
    use(http.get('/x', () => HttpResponse.text('body', { status: 201, headers: { 'X-One': '1' } })))
    let log: string[] = []
    const xhr = await send({ prepare: (each) => (log = record(each)) })
    expect(log).toEqual(['loadstart', 'state 2', 'state 3', 'state 4', 'load', 'loadend'])
    expect([xhr.status, xhr.statusText, xhr.responseText, xhr.response]).toEqual([201, 'Created', 'body', 'body'])
    expect(xhr.responseURL).toBe(new URL('/x', location.href).href)
    expect([xhr.getResponseHeader('x-ONE'), xhr.getResponseHeader('missing')]).toEqual(['1', null])
    expect(xhr.getAllResponseHeaders()).toMatch(/^content-type: text\/plain\r\n/m)
    expect(xhr.getAllResponseHeaders()).toMatch(/^x-one: 1(?:\r\n|$)/m)
  })

  test('reads its response by its responseType', async () => {
    use(
      http.get('/json', () => HttpResponse.json({ a: 'ü' })),
      http.get('/broken', () => HttpResponse.text('{')),
      http.get('/bytes', () => HttpResponse.arrayBuffer(bytes, { headers: { 'Content-Type': 'image/x' } })),
      http.get('/xml', () => HttpResponse.xml('<a>ü</a>')),
    )
    const read = async (path: string, type: XMLHttpRequestResponseType): Promise<unknown> =>
      (await send({ path, prepare: (xhr) => (xhr.responseType = type) })).response
    expect(await read('/json', 'json')).toEqual({ a: 'ü' })
    expect(await read('/json', 'text')).toBe('{"a":"ü"}')
    expect(await read('/broken', 'json')).toBeNull()
    expect(new Uint8Array((await read('/bytes', 'arraybuffer')) as ArrayBuffer)).toEqual(bytes)
    const xml = await send({ path: '/xml' })
    expect(xml.responseXML?.documentElement.textContent).toBe('ü')
  })

  test('sends its body, headers and credentials', async () => {
    const seen: unknown[] = []
    use(
      http.post('/x', async ({ request }) => {
        seen.push(request.credentials, request.headers.get('x-one'), await request.text())
        return new HttpResponse()
      }),
    )
    await send({
      method: 'POST',
      body: 'grüße',
      prepare(xhr) {
        xhr.withCredentials = true
        xhr.setRequestHeader('X-One', 'a')
        xhr.setRequestHeader('X-One', 'b')
      },
    })
    expect(seen).toEqual(['include', 'a, b', 'grüße'])
  })

  test('sends a form with its file', async () => {
    use(
      http.post('/x', async ({ request }) => {
        const file = (await request.formData()).get('file') as File
        return HttpResponse.json([file.name, file.type, [...(await file.bytes())]])
      }),
    )
    const body = new FormData()
    body.set('file', new File([bytes], 'f.bin', { type: 'application/x-thing' }))
    const { responseText } = await send({ method: 'POST', body })
    expect(JSON.parse(responseText)).toEqual(['f.bin', 'application/x-thing', [...bytes]])
  })

  test('dispatches progress events of uploads and downloads', async () => {
    use(http.post('/x', () => HttpResponse.arrayBuffer(new Uint8Array(1000))))
    const log: string[] = []
    const down: number[] = []
    await send({
      method: 'POST',
      body: 'x'.repeat(1000),
      prepare(xhr) {
        for (const type of ['loadstart', 'load', 'loadend']) xhr.upload.addEventListener(type, () => log.push(type))
        xhr.upload.addEventListener('progress', ({ loaded, total }) => log.push(`${loaded} of ${total}`))
        xhr.addEventListener('progress', ({ loaded }) => down.push(loaded))
      },
    })
    // For responses of a service worker, Chromium dispatches no other events.
    expect([...new Set(log)]).toEqual(isWorker ? ['loadstart'] : ['loadstart', '1000 of 1000', 'load', 'loadend'])
    expect(down.at(-1)).toBe(1000)
  })

  test('fails at a network error', async () => {
    use(http.get('/x', () => HttpResponse.error()))
    let log: string[] = []
    const xhr = await send({ prepare: (each) => (log = record(each)) })
    expect(log.slice(-3)).toEqual(['state 4', 'error', 'loadend'])
    expect([xhr.status, xhr.statusText, xhr.responseText, xhr.getAllResponseHeaders()]).toEqual([0, '', '', ''])
  })

  test('times out', async () => {
    use(http.get('/x', () => delay('infinite') as never))
    let log: string[] = []
    const xhr = await send({
      prepare(each) {
        each.timeout = 30
        log = record(each)
      },
    })
    expect(log.slice(-3)).toEqual(['state 4', 'timeout', 'loadend'])
    expect(xhr.status).toBe(0)
  })

  test('ends when it is aborted, and may be used again', async () => {
    use(
      http.get('/x', () => delay('infinite') as never),
      http.get('/again', () => HttpResponse.text('again')),
    )
    const xhr = new XMLHttpRequest()
    xhr.open('GET', '/x')
    const log = record(xhr)
    const end = ended(xhr)
    xhr.send()
    setTimeout(() => xhr.abort(), 20)
    await end
    expect(log.slice(-3)).toEqual(['state 4', 'abort', 'loadend'])
    xhr.open('GET', '/again')
    const again = ended(xhr)
    xhr.send()
    await again
    expect(xhr.responseText).toBe('again')
  })

  test('follows redirects', async () => {
    use(
      http.post('/dir/start', () => HttpResponse.redirect('end', 303)),
      http.all('/dir/end', ({ request }) => HttpResponse.text(request.method)),
    )
    const xhr = await send({ method: 'POST', path: '/dir/start', body: 'x' })
    expect([xhr.responseText, xhr.responseURL]).toEqual(['GET', new URL('/dir/end', location.href).href])
  })

  test('decompresses a response', async () => {
    const body = await new Response(
      new Blob(['grüße']).stream().pipeThrough(new CompressionStream('gzip')),
    ).arrayBuffer()
    use(http.get('/x', () => new HttpResponse(body, { headers: { 'Content-Encoding': 'gzip' } })))
    expect((await send()).responseText).toBe('grüße')
  })

  test('reaches the network if it is synchronous', () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    use(http.get('/understudy-worker.js', () => HttpResponse.text('mocked')))
    const xhr = new XMLHttpRequest()
    xhr.open('GET', '/understudy-worker.js', false)
    xhr.send()
    expect(xhr.responseText).not.toBe('mocked')
    expect(xhr.responseText).toContain('understudy')
    // With a worker, the warning comes while the worker gets the new handlers.
    expect(warn).toHaveBeenCalledOnce()
  })
})
