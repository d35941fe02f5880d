/** Tests `WebSocketStream` and picture-in-picture windows of documents. Only Chromium has them, and no service worker sees their requests. */
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'

import { afterAll, afterEach, beforeEach, expect, onTestFailed, test } from 'vitest'
import { WebSocketServer } from 'ws'

import { chromium } from '../acceptance/chromium.ts'
import { serveProject } from '../acceptance/serve-project.ts'
import type { TestVisit } from '../acceptance/test-browser.ts'
import { vite } from './vite.ts'

/** What a server does, for a handler and for the real server. */
const act = (
  send: (data: string | ArrayBuffer) => void,
  close: (code: number, reason: string) => void,
  breakOff: () => void,
): ((data: string | ArrayBuffer) => void) => {
  send('first')
  send(new Uint8Array([65, 66]).buffer)
  return (data) => {
    if (data === 'bye') close(4001, 'done')
    else if (data === 'break') breakOff()
    else send(`echo ${typeof data === 'string' ? data : new Uint8Array(data).join()}`)
  }
}

const handlers = (real: string): string => `import { http, HttpResponse, ws } from '@understudy/engine'
globalThis.connections = []
const act = ${String(act)}
const chat = ws.link('ws://localhost/mocked/:room')
const proxied = ws.link('${real}/proxied')
export const handlers = [
  http.get('/api/user', () => HttpResponse.json({ from: 'the mock' })),
  chat.addEventListener('connection', ({ client, params, info }) => {
    connections.push([params.room, info.protocols])
    const receive = act((data) => client.send(data), (code, reason) => client.close(code, reason), () => client.close(1006))
    client.addEventListener('message', ({ data }) => receive(data))
    client.addEventListener('close', ({ code, reason }) => connections.push([code, reason]))
  }),
  ws.link('ws://localhost/refused').addEventListener('connection', ({ client }) => client.close(1006)),
  proxied.addEventListener('connection', ({ client, server }) => {
    server.connect()
    server.addEventListener('message', (event) => {
      event.preventDefault()
      client.send('patched ' + event.data)
    })
  }),
]
await new Promise((resolve) => setTimeout(resolve, 300))
`

/** Uses all members of a stream to a server, and returns what the app notices. */
const notes = `async (url) => {
  const out = []
  const note = (...values) => out.push(values.map(show).join(' '))
  const show = (value) =>
    value instanceof Error || value instanceof DOMException
      ? [value.constructor.name, value.name, value.message, value.closeCode, value.reason].join()
      : value instanceof ArrayBuffer ? 'bytes ' + new Uint8Array(value).join()
      : typeof value === 'object' ? JSON.stringify(value) : String(value)
  const settled = (promise) => promise.catch((error) => error)
  const open = async (options) => {
    const stream = new WebSocketStream(url, options)
    const { readable, writable } = await stream.opened
    return { stream, reader: readable.getReader(), writer: writable.getWriter() }
  }
  {
    const { stream, reader, writer } = await open({ protocols: ['a', 'b'] })
    const { extensions, protocol } = await stream.opened
    note(stream instanceof WebSocketStream, stream.url === url, extensions, protocol)
    note(await reader.read(), (await reader.read()).value)
    for (const chunk of ['text', new Uint8Array([1, 2]), new Uint8Array([3]).buffer, 7, {}]) {
      await writer.write(chunk)
      note(await reader.read())
    }
    await writer.write('bye')
    note('end', await settled(reader.read()), await settled(stream.closed))
    note(await settled(writer.write('late')), await settled(writer.closed))
  }
  {
    const { stream, reader, writer } = await open()
    await reader.read()
    await reader.read()
    void writer.write('break')
    note('broken', await settled(reader.read()), await settled(stream.closed), await settled(writer.closed))
  }
  {
    const { stream, reader, writer } = await open()
    await reader.read()
    await reader.read()
    stream.close({ closeCode: 4002, reason: 'me' })
    note('closed', await settled(stream.closed), await settled(reader.read()), await settled(writer.closed))
    stream.close()
  }
  for (const info of [undefined, {}, { reason: 'why' }, { closeCode: 1000 }]) {
    const { stream } = await open()
    stream.close(info)
    note('closed', await settled(stream.closed))
  }
  {
    const { stream, writer } = await open()
    await writer.close()
    note('writer closed', await settled(stream.closed))
  }
  {
    const { stream, writer } = await open()
    await writer.abort(new WebSocketError('x', { closeCode: 4003, reason: 'abort' }))
    note('aborted', await settled(stream.closed))
  }
  {
    const { stream, reader, writer } = await open()
    await reader.cancel('enough')
    note('canceled', await settled(stream.closed), await settled(reader.read()), await settled(writer.closed))
  }
  {
    const controller = new AbortController()
    const stream = new WebSocketStream(url, { signal: controller.signal })
    controller.abort()
    note('aborted', await settled(stream.opened), await settled(stream.closed))
  }
  {
    const stream = new WebSocketStream(url, { signal: AbortSignal.abort() })
    note('aborted before', await settled(stream.opened), await settled(stream.closed))
  }
  {
    const controller = new AbortController()
    const { signal } = controller
    const { stream, reader } = await open({ signal })
    controller.abort()
    note('aborted late', await reader.read())
    stream.close()
  }
  {
    const stream = new WebSocketStream(url)
    stream.close()
    note('closed early', await settled(stream.opened), await settled(stream.closed))
  }
  for (const args of [[url + '#a'], ['x:y'], [url, { protocols: ['a', 'a'] }], [url, true], []]) {
    try {
      new WebSocketStream(...args)
      note('no error')
    } catch (error) {
      note(error.name)
    }
  }
  for (const info of [{ closeCode: 1 }, { reason: 'x'.repeat(200) }, true, null]) {
    const { stream } = await open()
    try {
      stream.close(info)
      note('no error')
    } catch (error) {
      note(error.name)
    }
    stream.close()
  }
  return out
}`

const early = `<script>
  const params = new URLSearchParams(location.search)
  if (params.has('early')) new WebSocketStream(params.get('early'))
</script><button>Open</button>`

const server = new WebSocketServer({ port: 0, host: 'localhost' })
await once(server, 'listening')
const origin = `ws://localhost:${(server.address() as AddressInfo).port}`
const connected: string[] = []
server.on('connection', (client, { url }) => {
  connected.push(String(url))
  const receive = act(
    (data) => client.send(data),
    (code, reason) => client.close(code, reason),
    () => client.terminate(),
  )
  client.on('message', (data: Buffer, isBinary) => receive(isBinary ? new Uint8Array(data).buffer : String(data)))
})
afterAll(() => server.close())

const served = serveProject(vite, {
  launch: () => chromium.launch(),
  files: { 'index.html': early, 'src/mocks/handlers.js': handlers(origin) },
  options: { plugin: { expose: true } },
})

let visit: TestVisit

async function open(path = '/'): Promise<void> {
  await visit.page.goto(served.server.origin + path)
  await expect.poll(() => visit.console.join('\n')).toContain('Mocking is on')
}

beforeEach(async () => {
  visit = await served.browser.openVisit()
  onTestFailed(() => console.error(visit.console.join('\n'), connected))
})
afterEach(async () => {
  await visit.close()
  connected.length = 0
})

test('a stream that a handler takes behaves as one to a server', async () => {
  await open()
  const real = await visit.page.evaluate(`(${notes})('${origin}/other')`)
  expect(connected).toContain('/other')
  expect(await visit.page.evaluate('connections')).toEqual([])
  connected.length = 0
  expect(await visit.page.evaluate(`(${notes})('ws://localhost/mocked/lobby')`)).toEqual(real)
  expect(connected).toEqual([])
  const connections = (await visit.page.evaluate('connections')) as unknown[]
  expect(connections.slice(0, 2)).toEqual([
    ['lobby', ['a', 'b']],
    [4001, 'done'],
  ])
  expect(visit.errors).toEqual([])
})

test('a handler connects to the real server', async () => {
  await open()
  const read = `(async () => {
    const { readable } = await new WebSocketStream('${origin}/proxied').opened
    return (await readable.getReader().read()).value
  })()`
  expect(await visit.page.evaluate(read)).toBe('patched first')
  expect(connected).toEqual(['/proxied'])
})

test('the console names a stream that no handler takes, and a refused one fails', async () => {
  await open()
  await visit.page.evaluate(`new WebSocketStream('${origin}/unknown').opened.then(() => {})`)
  expect(connected).toEqual(['/unknown'])
  await expect
    .poll(() => visit.console.join('\n'))
    .toContain(`No handler matches the WebSocket connection to ${origin}/unknown`)
  const refused = `new WebSocketStream('ws://localhost/refused').opened.then(String, ({ name, message }) => name + message)`
  expect(await visit.page.evaluate(refused)).toBe('WebSocketErrorWebSocket closed before handshake complete.')
})

test('without a service worker, handlers take a stream too', async () => {
  const cdp = await visit.openDevTools?.()
  await cdp?.send('Network.enable')
  await cdp?.send('Network.setBypassServiceWorker', { bypass: true })
  await visit.page.goto(served.server.origin)
  await expect.poll(() => visit.console.join('\n')).toContain('in the page itself')
  const read = `(async () => {
    const { readable } = await new WebSocketStream('ws://localhost/mocked/lobby').opened
    return (await readable.getReader().read()).value
  })()`
  expect(await visit.page.evaluate(read)).toBe('first')
})

test('the console names a stream that was opened before mocking was on', async () => {
  await open(`/?early=${origin}/proxied`)
  await expect.poll(() => visit.console.join('\n')).toContain('US0325')
  expect(visit.console.filter((line) => line.includes('US0325'))).toEqual([
    expect.stringContaining(`Failed to answer the WebSocketStream to ${origin}/proxied: `),
  ])
  await expect.poll(() => connected).toEqual(['/proxied'])
})

test('a stream reaches the network when mocking was stopped', async () => {
  await open()
  await visit.page.evaluate(`understudy.worker.stop()`)
  await visit.page.evaluate(`new WebSocketStream('${origin}/proxied').opened.then(() => {})`)
  expect(connected).toEqual(['/proxied'])
  expect(await visit.page.evaluate('String(WebSocketStream)')).toContain('[native code]')
})

test('the console names a request of a picture-in-picture window', async () => {
  await open()
  await visit.page.evaluate(() => {
    const { documentPictureInPicture: pictures } = globalThis as unknown as {
      documentPictureInPicture: { requestWindow(): Promise<typeof globalThis> }
    }
    document.querySelector('button')?.addEventListener('click', () => {
      const request = async (): Promise<string> => {
        const picture = await pictures.requestWindow()
        return (await picture.fetch('/api/user')).text()
      }
      Object.assign(globalThis, { answer: request().catch(String) })
    })
  })
  await visit.click(`document.querySelector('button')`)
  await visit.page.waitForFunction('globalThis.answer')
  expect(await visit.page.evaluate('answer')).toContain('the backend')
  await expect.poll(() => visit.console.join('\n')).toContain('US0315')
  expect(visit.console.filter((line) => line.includes('US0315'))).toEqual([
    expect.stringContaining(
      '/api/user: it came from the picture-in-picture window about:blank, which no service worker',
    ),
  ])
  served.backend.forget()
})
