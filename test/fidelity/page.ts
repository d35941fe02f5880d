import { setupWorker } from '../../packages/engine/src/browser.ts'
/** The page of the comparison. It runs each probe, and can mock URLs below `/mock`. */
import { http, HttpResponse, ws } from '../../packages/engine/src/index.ts'
import { endpoints, type Answer } from './endpoints.ts'
import { fetchProbes } from './fetch-probes.ts'
import { otherProbes } from './other-probes.ts'
import type { Seen } from './probe.ts'
import { wait } from './probe.ts'
import { xhrProbes } from './xhr-probes.ts'

const probes = { ...fetchProbes, ...xhrProbes, ...otherProbes }

const worker = setupWorker(
  http.all<{ endpoint: string }>('/mock/:endpoint', async ({ request, params }) => {
    const endpoint = Object.hasOwn(endpoints, params.endpoint) ? endpoints[params.endpoint] : undefined
    const url = new URL(request.url)
    if (!endpoint) return HttpResponse.text('', { status: 404 })
    return respond(endpoint({ method: request.method, url, headers: request.headers, body: await request.text() }))
  }),
  ws.link('/mock/socket').addEventListener('connection', ({ client }) => {
    client.addEventListener('message', ({ data }) => {
      if (data === 'close') client.close(4001, 'the server')
      else client.send(data)
    })
  }),
  // The real server refuses a WebSocket of this path, too: it has none there.
  ws.link('/mock/refused').addEventListener('connection', ({ client }) => client.close(1006)),
)

async function respond({
  status = 200,
  statusText,
  headers = {},
  body = null,
  pause = 0,
  breaks,
}: Answer): Promise<Response> {
  if (pause > 0) await wait(pause)
  const sent =
    typeof body === 'string' || body instanceof Uint8Array || body === null
      ? body
      : new ReadableStream({
          async start(controller) {
            for (const [before, text] of body) {
              await (typeof before === 'number' ? wait(before) : before)
              controller.enqueue(new TextEncoder().encode(text))
            }
            if (breaks) controller.error(new Error('broken off'))
            else controller.close()
          },
        })
  return new HttpResponse(sent, { status, headers, ...(statusText !== undefined && { statusText }) })
}

/** Returns the result of a probe, with the same URLs for both sides. */
async function look(name: string, side: 'real' | 'mock'): Promise<Seen> {
  const at = (path: string): string => new URL(`/${side}/${path}`, location.href).href
  try {
    const limit = wait(10_000).then(() => ({ result: 'nothing within ten seconds' }))
    const seen = await Promise.race([probes[name]?.(at), limit])
    return JSON.parse(JSON.stringify(seen).replaceAll(`/${side}/`, '/side/')) as Seen
  } catch (error) {
    return { error: String(error).replaceAll(`/${side}/`, '/side/') }
  }
}

/** Returns the results of all probes on one side. */
async function lookAtAll(side: 'real' | 'mock'): Promise<Record<string, Seen>> {
  const seen: Record<string, Seen> = {}
  for (const name of Object.keys(probes)) seen[name] = await look(name, side)
  return seen
}

Object.assign(globalThis, {
  lookAtAll,
  start: async (isInPage: boolean) => {
    if (isInPage) Object.defineProperty(navigator, 'serviceWorker', { value: undefined, configurable: true })
    await worker.start({ quiet: true, onUnhandledRequest: 'bypass' })
  },
})
