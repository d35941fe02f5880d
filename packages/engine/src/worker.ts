/**
 * The service worker: brings requests that a page's handlers could match to that page, and leaves all others alone.
 * Compiled to one classic script without dependencies.
 */
import { isBypassed, removeBypassMark } from './core/responses/bypass.ts'
import type { Connection } from './worker/connection.ts'
import { Connections } from './worker/connections.ts'
import {
  isMessage,
  probeForAsked,
  probeHeader,
  probeParameter,
  protocolVersion,
  type ConnectMessage,
  type RequestData,
  type SettingAnswer,
  type SettingMessage,
} from './worker/protocol.ts'
import { fromResponseData, toRequestData, toRequestHead, toResponseData } from './worker/request-data.ts'
import { isTable } from './worker/table.ts'

declare const self: ServiceWorkerGlobalScope

/** How long a page has to start mocking before the worker may take it for one that does not want it. */
const leaseMilliseconds = 5000

const connections = new Connections()

/**
 * Whether another worker's script has taken this one in, by `importScripts`: then its life is not ours to decide
 * about. The place where this line stands is in another file than the worker's own.
 */
const isTakenIn = findOwnPlace()?.includes(self.location.href) === false

function findOwnPlace(): string | undefined {
  return new Error('Here.').stack?.split('\n').find((line) => line.includes('://'))
}

self.addEventListener('install', () => {
  if (!isTakenIn) void self.skipWaiting()
})

self.addEventListener('message', (event) => {
  const { source, origin } = event
  const data: unknown = event.data
  const [port] = event.ports
  if (origin !== '' && origin !== self.location.origin) return
  if (!(source instanceof Client) || !port || !isMessage(data)) return
  event.waitUntil(receive(source.id, data as ConnectMessage | SettingMessage, port))
})

async function receive(clientId: string, message: ConnectMessage | SettingMessage, port: MessagePort): Promise<void> {
  await connections.restored
  switch (message.type) {
    case 'understudy:connect': {
      if (!isTable(message.table)) return
      const connection = connections.connect(clientId, message.table, port)
      if (!message.isControlled) await self.clients.claim()
      connection.send({ type: 'connected', version: protocolVersion })
      return
    }
    case 'understudy:table':
      if (!isTable(message.table)) return
      port.postMessage(connections.setTable(clientId, message.table))
      return
    case 'understudy:disconnect':
      connections.disconnect(clientId)
      port.postMessage({ isIncomplete: false } satisfies SettingAnswer)
  }
}

self.addEventListener('fetch', (event) => {
  const { request, clientId, resultingClientId } = event
  if (request.mode === 'navigate') {
    if (resultingClientId) connections.beginLoading(resultingClientId)
    // Not by `waitUntil`: a worker that is to replace this one would wait too, and this one lives long enough.
    if (!isTakenIn) void endLease()
    return
  }
  const url = new URL(request.url)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return
  if (url.searchParams.has(probeParameter) && url.pathname === self.location.pathname) {
    const isForAsked = url.searchParams.get(probeParameter) === probeForAsked
    event.respondWith(
      isForAsked
        ? answerWhenHeard(clientId, request)
        : new Response(null, { status: 204, headers: { [probeHeader]: isTakenIn ? 'shared' : 'own' } }),
    )
    return
  }
  // The platform rejects such a request when a worker performs it (developer tools make them).
  if (request.cache === 'only-if-cached' && request.mode !== 'same-origin') return

  if (!connections.isRestored) {
    event.respondWith(connections.restored.then(() => choose(event)?.() ?? fetch(request)))
    return
  }
  const respond = choose(event)
  if (respond) event.respondWith(respond())

  function choose({ clientId: id }: FetchEvent): (() => Promise<Response>) | undefined {
    return chooseResponse(id || clientId, request)
  }
})

async function answerWhenHeard(clientId: string, request: Request): Promise<Response> {
  // As with the requests before it, whose bodies are read first.
  await request.arrayBuffer()
  const connection = await connections.reach(clientId)
  await connection?.untilHeard()
  return new Response(null, { status: 204 })
}

/** What to do with a request: nothing, so that it goes its way untouched, or a response. */
function chooseResponse(clientId: string, request: Request): (() => Promise<Response>) | undefined {
  const connection = connections.get(clientId)
  if (isBypassed(request.headers)) {
    // Listeners hear of it too. No handler is asked.
    return connection?.isOpen && connection.table.others === 'ask'
      ? () => ask(connection, request)
      : () => perform(request)
  }
  if (connection) {
    if (!connection.isOpen) return () => chooseAnew(clientId, request)
    if (connection.table.couldMatch(request)) return () => ask(connection, request)
    if (!isOfScript(request)) return undefined
    const { others, wantsJson } = connection.table
    if (others === 'ask') return () => ask(connection, request)
    if (others === 'notify') {
      const isWanted = wantsJson && request.method === 'POST' && /json/.test(request.headers.get('content-type') ?? '')
      void notify(connection, isWanted ? toRequestData(request.clone()) : toRequestHead(request))
    }
    return undefined
  }
  if (connections.isEmpty || !connections.couldAnyMatch(request)) return undefined
  // The scripts that start mocking must not wait for it.
  if (['script', 'style', 'worker', 'sharedworker', 'serviceworker', 'manifest'].includes(request.destination)) {
    return undefined
  }
  if (connections.isLoading(clientId)) return () => bringOnArrival(clientId, request)
  return () => bringForWorker(clientId, request)
}

/** What an earlier life of the worker stored of a page may be out of date: the page says what holds now. */
async function chooseAnew(clientId: string, request: Request): Promise<Response> {
  const connection = await connections.reach(clientId)
  if (connection) return chooseResponse(clientId, request)?.() ?? fetch(request)
  // A page that has ended mocking meanwhile knows why.
  if (connections.get(clientId)?.table.couldMatch(request)) warn(request, 'its page did not answer in time')
  return fetch(request)
}

/** Whether a request was made by a script's call (`fetch`, XHR, beacons), and is no asset that the page refers to. */
function isOfScript(request: Request): boolean {
  return request.destination === ''
}

/** Tells a page of a request that goes its way untouched. */
async function notify(connection: Connection, request: RequestData | Promise<RequestData>): Promise<void> {
  connection.send({ type: 'notice', request: await request })
}

async function bringOnArrival(clientId: string, request: Request): Promise<Response> {
  const connection = await connections.arrival(clientId)
  if (connection) return connection.table.couldMatch(request) ? ask(connection, request) : fetch(request)
  warn(request, 'its page did not start mocking in time')
  return fetch(request)
}

/** A dedicated or shared worker does not say whose it is: any page that could match answers. */
async function bringForWorker(clientId: string, request: Request): Promise<Response> {
  const client = await self.clients.get(clientId)
  const isOfWorker = client?.type === 'worker' || client?.type === 'sharedworker'
  const connection = isOfWorker ? await connections.reachAny(request) : undefined
  return connection ? ask(connection, request) : fetch(request)
}

/**
 * After a navigation, removes the worker where no page that is open has asked for mocking: then it is left over from
 * earlier, and whatever served it may be gone. A page that only takes long to start registers it again.
 */
async function endLease(): Promise<void> {
  await new Promise((resolve) => {
    setTimeout(resolve, leaseMilliseconds)
  })
  await connections.restored
  if (await connections.areAllGone()) await self.registration.unregister()
}

function warn({ method, url }: Request, reason: string): void {
  console.warn(`[understudy] ${method} ${url} was performed unmocked: ${reason}. Reload the page.`)
}

async function ask(connection: Connection, request: Request): Promise<Response> {
  const { id, decision } = connection.ask(await toRequestData(request))
  request.signal.addEventListener('abort', () => connection.send({ type: 'abort', id }), { once: true })
  const decided = await decision
  switch (decided.type) {
    case 'mocked':
      return fromResponseData(decided.response, request)
    case 'network-error':
      return Response.error()
    case 'perform': {
      const response = await perform(request, decided.body)
      if (decided.tell) {
        const data = toResponseData(response.clone())
        connection.send({ type: 'performed', id, response: data }, data.body ? [data.body as ReadableStream] : [])
      }
      return response
    }
  }
}

/** @param body what was read of the request; default: nothing was */
function perform(request: Request, body: ArrayBuffer | null = null): Promise<Response> {
  if (!request.bodyUsed && !isBypassed(request.headers)) return fetch(request)
  const headers = new Headers(request.headers)
  removeBypassMark(headers)
  const { referrer, referrerPolicy } = request
  // A request that is made of another loses its referrer, unless it is told.
  const sent = request.bodyUsed && { body: body ?? new ArrayBuffer(0) }
  return fetch(new Request(request, { headers, referrer, referrerPolicy, ...sent }))
}
