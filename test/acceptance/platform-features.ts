import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFailed, test } from 'vitest'

import type { BuildTool } from './build-tool.ts'
import { chromium } from './chromium.ts'
import { serveProject } from './serve-project.ts'
import type { BrowserDriver, BrowserName, TestVisit } from './test-browser.ts'

const handlers = `import { http, HttpResponse, sse } from '@understudy/engine'
globalThis.seen = []
const see = (respond) => ({ request }) => {
  seen.push(new URL(request.url).pathname)
  return respond(request)
}
const typed = (text, type) => see(() => new HttpResponse(text, { headers: { 'Content-Type': type } }))
const pixels = '<svg xmlns="http://www.w3.org/2000/svg" width="7" height="7"></svg>'
export const handlers = [
  http.get('/api/handlers', () => HttpResponse.json({})),
  http.get('/api/user', see(() => HttpResponse.json({ from: 'the mock' }))),
  http.post('/api/echo', see(async (request) => HttpResponse.json({ from: 'the mock', body: await request.text() }))),
  http.post('/api/reports', see(() => new HttpResponse(null, { status: 204 }))),
  http.get('/api/prefetched', see(() => HttpResponse.json({}))),
  http.get('/api/image/:of', typed(pixels, 'image/svg+xml')),
  http.get('/api/module.js', typed('export const from = "the mock"', 'text/javascript')),
  http.get('/api/audio-worklet.js', typed('registerProcessor("mocked", class extends AudioWorkletProcessor { process() {} })', 'text/javascript')),
  http.get('/api/paint-worklet.js', typed('registerPaint("mocked", class { paint() {} })', 'text/javascript')),
  http.get('/api/film.mp4', see(({ headers }) => HttpResponse.text(String(headers.get('range'))))),
  http.get('/api/captions.vtt', typed('WEBVTT\\n\\n00:00.000 --> 00:01.000\\nthe mock', 'text/vtt')),
  http.get('/api/style.css', typed('main { color: rgb(1, 2, 3) }', 'text/css')),
  http.get('/api/data.json', see(() => HttpResponse.json({ from: 'the mock' }))),
  sse('/api/events', ({ client }) => client.send({ data: 'the mock' })),
]
`

/** The clients of a web worker: each sends the first text that it receives. */
const asking = `
const clients = {
  XMLHttpRequest: (answer) => {
    const request = new XMLHttpRequest()
    request.open('GET', '/api/user')
    request.onload = () => answer(JSON.parse(request.responseText).from)
    request.onerror = () => answer('error')
    request.send()
  },
  EventSource: (answer) => {
    const source = new EventSource('/api/events')
    source.onmessage = ({ data }) => (source.close(), answer(data))
    source.onerror = () => (source.close(), answer('error'))
  },
}
onmessage = ({ data }) => clients[data](postMessage)
onconnect = ({ ports: [port] }) => (port.onmessage = ({ data }) => clients[data]((text) => port.postMessage(text)))
`

interface Feature {
  readonly name: string
  /** Makes a request, and returns where its response is from. The features share a page, so no other one may request the same URL. */
  readonly code: string
  /** The browsers that have the feature. Default: all. */
  readonly browsers?: readonly BrowserName[]
}

const inWorker = (kind: 'Worker' | 'SharedWorker', client: string): Feature => ({
  name: `${client} in a ${kind}`,
  code: `new Promise((resolve) => {
    const worker = new ${kind}('/asking.js')
    const port = worker.port ?? worker
    port.onmessage = ({ data }) => resolve(data)
    port.postMessage('${client}')
  })`,
})

const byLink = (name: string, attributes: object, path: string, browsers?: readonly BrowserName[]): Feature => ({
  name: `<link rel="${name}">`,
  code: `new Promise((resolve) => {
    const link = Object.assign(document.createElement('link'), ${JSON.stringify({ rel: name, href: path, ...attributes })})
    link.onload = () => resolve(seen.includes(${JSON.stringify(path)}) ? 'the mock' : 'the network')
    link.onerror = () => resolve('error')
    document.head.append(link)
  })`,
  ...(browsers && { browsers }),
})

const mockedFeatures: Feature[] = [
  {
    name: 'fetch with a priority',
    code: `fetch('/api/user', { priority: 'high' }).then((r) => r.json()).then(({ from }) => from)`,
  },
  {
    name: 'fetch with a streamed body',
    code: `fetch('/api/echo', { method: 'POST', duplex: 'half', body: new Blob(['streamed']).stream() })
      .then((r) => r.json()).then(({ from, body }) => body === 'streamed' ? from : body)`,
    browsers: ['Chromium'],
  },
  byLink('prefetch', {}, '/api/prefetched'),
  byLink('preload', { as: 'image' }, '/api/image/preloaded'),
  byLink('modulepreload', {}, '/api/module.js'),
  {
    name: '<video> with a range',
    code: `(async () => {
      const answered = new Promise((resolve) => understudy.worker.events.on('response:mocked', async ({ response }) => {
        if (response.url.endsWith('film.mp4')) resolve(await response.text())
      }))
      document.body.append(Object.assign(document.createElement('video'), { src: '/api/film.mp4', preload: 'auto' }))
      const range = await answered
      return range === 'bytes=0-' ? 'the mock' : range
    })()`,
  },
  {
    name: '<track>',
    code: `new Promise((resolve) => {
      const video = document.createElement('video')
      video.innerHTML = '<track default kind="subtitles" src="/api/captions.vtt">'
      video.firstChild.onload = () => resolve(video.textTracks[0].cues[0].text)
      video.firstChild.onerror = () => resolve('error')
      document.body.append(video)
      video.textTracks[0].mode = 'showing'
    })`,
  },
  {
    name: '@import in a style sheet',
    code: `new Promise((resolve) => {
      const style = document.createElement('style')
      style.textContent = "@import '/api/style.css'"
      style.onload = () => resolve(getComputedStyle(document.querySelector('main')).color === 'rgb(1, 2, 3)' ? 'the mock' : 'the network')
      document.head.append(style)
    })`,
  },
  {
    name: 'url() of a background',
    code: `(async () => {
      document.body.style.background = 'url(/api/image/background)'
      while (!seen.includes('/api/image/background')) await new Promise((resolve) => setTimeout(resolve, 20))
      return 'the mock'
    })()`,
  },
  {
    name: '<use> of an SVG file',
    code: `(async () => {
      document.body.append(Object.assign(document.createElement('div'), { innerHTML: '<svg><use href="/api/image/used#part"/></svg>' }))
      while (!seen.includes('/api/image/used')) await new Promise((resolve) => setTimeout(resolve, 20))
      return 'the mock'
    })()`,
  },
  {
    name: 'import of a JSON module',
    code: `Function("return import('/api/data.json', { with: { type: 'json' } })")().then((module) => module.default.from)`,
  },
  {
    name: 'a thousand event streams at the same time',
    code: `(async () => {
      const sources = Array.from({ length: 1000 }, () => new EventSource('/api/events'))
      const texts = await Promise.all(sources.map((source) => new Promise((resolve) => {
        source.onmessage = ({ data }) => resolve(data)
        source.onerror = () => resolve('error')
      })))
      for (const source of sources) source.close()
      return [...new Set(texts)].join()
    })()`,
  },
  {
    name: 'AudioWorklet.addModule',
    code: `(async () => {
      const context = new OfflineAudioContext(1, 1, 44100)
      await context.audioWorklet.addModule('/api/audio-worklet.js')
      new AudioWorkletNode(context, 'mocked')
      return 'the mock'
    })()`,
  },
  {
    name: 'CSS.paintWorklet.addModule',
    code: `CSS.paintWorklet.addModule('/api/paint-worklet.js').then(() => seen.includes('/api/paint-worklet.js') ? 'the mock' : 'the network')`,
    browsers: ['Chromium'],
  },
  inWorker('Worker', 'XMLHttpRequest'),
  inWorker('Worker', 'EventSource'),
  inWorker('SharedWorker', 'EventSource'),
]

/** Tests features of the platform that make requests, and that few apps use. */
export function testPlatformFeatures(tool: BuildTool, driver: BrowserDriver = chromium): void {
  describe(`${tool.name} in ${driver.name}, rare features of the platform`, () => {
    let visit: TestVisit

    const served = serveProject(tool, {
      launch: () => driver.launch(),
      files: {
        'src/mocks/handlers.js': handlers,
        'public/asking.js': asking,
      },
      options: { policy: "font-src 'none'; report-uri /api/reports", plugin: { expose: true } },
    })
    async function open(): Promise<void> {
      visit = await served.browser.openVisit()
      await visit.page.goto(served.server.origin)
      // This request waits until mocking is on.
      await visit.page.evaluate("fetch('/api/handlers').then((response) => response.text())")
    }
    beforeEach(() => {
      onTestFailed(() => console.error(visit.console.join('\n')))
    })
    afterEach(() => {
      const escaped = [...served.backend.requests]
      served.backend.forget()
      expect(escaped).toEqual([])
    })

    describe('on one page', () => {
      beforeAll(open)
      afterAll(() => visit.close())

      test.for(mockedFeatures.filter(({ browsers }) => browsers?.includes(driver.name) ?? true))(
        '$name: a handler answers',
        async ({ code }) => {
          expect(await visit.page.evaluate(code)).toBe('the mock')
        },
      )
    })

    describe('reports of the Content Security Policy', () => {
      beforeAll(open)
      afterAll(() => visit.close())

      const notes = (): string[] => visit.console.filter((line) => line.includes('US0322'))

      /** Violates the policy twice. Chromium sends equal reports once. */
      const violate = (): Promise<void> =>
        visit.page.evaluate(async () => {
          for (const name of ['first', 'second'])
            await new FontFace(name, `url(/${name}.woff)`).load().catch(() => undefined)
        })

      test.skipIf(driver.name === 'Firefox')('a handler answers', async () => {
        await violate()
        await expect.poll(() => visit.page.evaluate('seen')).toEqual(['/api/reports', '/api/reports'])
        expect(notes()).toEqual([])
      })

      test.runIf(driver.name === 'Firefox')('the console says once that they reach the network', async () => {
        await violate()
        await expect.poll(() => served.backend.requests).toEqual(['POST /api/reports', 'POST /api/reports'])
        served.backend.forget()
        expect(notes()).toEqual([
          expect.stringContaining(`Failed to answer POST ${served.server.origin}/api/reports: `),
        ])
      })
    })
  })
}
