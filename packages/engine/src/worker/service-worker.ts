/**
 * The service worker: brings requests that a page's handlers could match to that page, and leaves all others alone.
 * Compiled to one classic script without dependencies.
 */
import { decidedMark, isBypassed, removeBypassMark } from '../core/responses/bypass.ts'
import { Connection } from './connection.ts'
import { Connections, couldMatch, type MockingPage } from './connections.ts'
import { isLeftOver } from './left-over.ts'
import {
  isMessage,
  probeForAsked,
  probeHeader,
  probeParameter,
  protocolVersion,
  synchronousHash,
  type ConnectMessage,
  type PageStateMessage,
  type RequestData,
  type SettingAnswer,
  type SettingMessage,
} from './protocol.ts'
import {
  fromResponseData,
  hasDecodedHeaders,
  readHeaders,
  toRequestData,
  toRequestHead,
  toResponseData,
} from './request-data.ts'
import { isTable } from './table.ts'
import { leaseTime } from './time-outs.ts'
import { WorkerOwners } from './worker-owners.ts'

declare const self: ServiceWorkerGlobalScope

const connections = new Connections()
const owners = new WorkerOwners(connections)

let isKnownLeftOver = false
/** There is one for each navigation at most. */
let leftOverCheck: Promise<void> | undefined

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
  if (!(source instanceof Client) || !isMessage(data)) return
  receiveState(source.id, data as PageStateMessage, port)
  if (port) event.waitUntil(receive(source.id, data as ConnectMessage | SettingMessage, port))
})

function receiveState(clientId: string, { type }: PageStateMessage, port: MessagePort | undefined): void {
  switch (type) {
    case 'understudy:starting':
      connections.beginStart(clientId, 'announced')
      port?.postMessage(clientId)
      return
    case 'understudy:started':
      connections.endStart(clientId)
      return
    case 'understudy:gone':
      connections.leave(clientId)
      if (connections.all.length === 0) void removeIfLeftOver()
      return
    case 'understudy:keep-alive':
    // It has come: that is all.
  }
}

async function receive(clientId: string, message: ConnectMessage | SettingMessage, port: MessagePort): Promise<void> {
  const { engine } = message
  if (typeof engine !== 'string') return
  switch (message.type) {
    case 'understudy:connect': {
      const { table, workers, isControlled } = message
      if (!isTable(table)) return
      const connection = new Connection(clientId, engine, port)
      connection.table.set(table)
      if (Array.isArray(workers)) owners.restore(workers, clientId)
      isKnownLeftOver = false
      connections.connect(connection)
      if (!isControlled) await self.clients.claim()
      connection.send({ type: 'connected', version: protocolVersion, clientId })
      return
    }
    case 'understudy:table': {
      if (!isTable(message.table)) return
      const connection = connections.get(clientId)?.find((each) => each.engine === engine)
      port.postMessage(connection?.table.set(message.table) ?? ({ isIncomplete: true } satisfies SettingAnswer))
      return
    }
    case 'understudy:disconnect':
      connections.disconnect(clientId, engine)
      port.postMessage({ isIncomplete: false } satisfies SettingAnswer)
  }
}

self.addEventListener('fetch', (event) => {
  const { request, clientId, resultingClientId } = event
  const url = new URL(request.url)
  // The panel stays there, whatever handlers match.
  const isOfPanel = url.origin === self.location.origin && url.pathname.includes('/__understudy/')
  if (request.mode === 'navigate') {
    leftOverCheck = undefined
    if (resultingClientId && !isKnownLeftOver) connections.beginLoading(resultingClientId, isOfPage(event))
    if (connections.all.length === 0) void removeIfLeftOver()
    // Not by `waitUntil`: a worker that is to replace this one would wait too, and this one lives long enough.
    if (!isTakenIn) void endLease()
    // Without a panel, the app's own page may be there.
    if (!isOfPanel && mayBeMocked(request)) event.respondWith(answerDocument(event))
    return
  }
  if (isOfPanel) return
  if (resultingClientId && clientId) owners.add(resultingClientId, clientId)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return
  const probe = url.pathname === self.location.pathname ? url.searchParams.get(probeParameter) : null
  if (probe !== null) {
    event.respondWith(answerProbe(probe, clientId, request))
    return
  }
  // The request blocks its page, so the page cannot answer it. A response that the worker fetches arrives too late as well.
  if (url.hash === synchronousHash) return
  // The platform rejects `fetch` of such a request in a worker. Developer tools make these requests.
  if (request.cache === 'only-if-cached' && request.mode !== 'same-origin') return

  const respond = chooseResponse(clientId, request)
  if (respond) event.respondWith(respond())
})

/**
 * Whether a navigation is that of a frame, or of a new window. Chromium does not tell new windows by their `frameType`, but
 * names the client that a navigation replaces. Firefox names none.
 */
function isOfPage({ clientId, request }: FetchEvent): boolean {
  const isOpened = 'isReloadNavigation' in request && clientId === '' && request.referrer !== ''
  return request.destination !== 'document' || isOpened
}

/** Whether a document may be a mocked one. The app's first page is not, and waits for nothing. */
function mayBeMocked(request: Request): boolean {
  const { origin, pathname } = new URL(request.url)
  if (isKnownLeftOver || origin + pathname === self.registration.scope) return false
  return connections.isIncomplete || connections.couldAnyMatch(request)
}

/** Has any page that could match answer a request for a document: that of a link may have been closed meanwhile. */
async function answerDocument({ request, resultingClientId }: FetchEvent): Promise<Response> {
  const page = await owners.find('', request)
  if (typeof page !== 'object') return fetch(request)
  // A form with a body could not be sent after its body was read, because scripts cannot construct a navigation.
  const response = await ask(page, request, request.clone())
  const isMocked = response.type === 'default'
  if (isMocked) connections.noteMockedDocument(resultingClientId)
  // The requests of the document fail if its page goes, unless the dev server answers them.
  const [{ clientId, table }] = page as [Connection]
  if (isMocked && resultingClientId && !table.areServed) owners.add(resultingClientId, clientId)
  if (!isMocked || !response.body || request.destination !== 'document') return response
  // The page that makes the body goes when this document comes, and the rest of a stream with it.
  return new Response(await response.arrayBuffer(), response)
}

async function answerProbe(probe: string, clientId: string, request: Request): Promise<Response> {
  if (probe === probeForAsked) {
    // As with earlier requests, whose bodies are read first.
    await request.arrayBuffer()
    const page = await connections.find(clientId)
    if (typeof page === 'object') await Promise.all(page.map((connection) => connection.untilHeard()))
  }
  return new Response(null, { status: 204, headers: { [probeHeader]: isTakenIn ? 'shared' : 'own' } })
}

/** Returns a function that responds to a request, or `undefined` to leave the request alone. */
function chooseResponse(clientId: string, request: Request): (() => Promise<Response>) | undefined {
  const page = connections.getComplete(clientId)
  if (isBypassed(request.headers)) {
    // Listeners get this request too, but no handler does. They got a decided one before.
    const isDecided = request.headers.get('accept')?.includes(decidedMark)
    const listening = (!isDecided && page?.filter(({ table }) => table.others === 'ask')) || []
    return listening.length > 0 ? () => ask(listening, request) : () => sendToNetwork(request)
  }
  if (page) return chooseOfPage(page, request)
  if (connections.isUnmocked(clientId)) return undefined
  if (connections.isStarting(clientId) || connections.isLoading(clientId)) {
    // What the start of mocking needs must not wait for it.
    if (isNeededToStart(request)) return undefined
    // Where scripts make requests before they say that mocking will start, it may never start.
    const isLate = connections.isLoading(clientId) && isOfScript(request)
    if (isLate && !connections.couldAnyMatch(request)) return undefined
    if (isLate) connections.endFrameLoading(clientId)
    if (connections.isLoading(clientId)) void removeIfLeftOver()
  }
  const owner = owners.get(clientId)
  const ownersPage = owner === undefined ? undefined : connections.getComplete(owner)
  if (ownersPage) return couldMatch(ownersPage, request) ? () => ask(ownersPage, request) : undefined
  const isOfNobody = clientId === '' || (owner === undefined && others.has(clientId))
  if (isOfNobody && !connections.isIncomplete && !connections.couldAnyMatch(request)) return undefined
  return () => chooseWhenKnown(clientId, request)
}

/** Clients without handlers of their own, and without a known page that has some. */
const others = new Set<string>()

/** The request waits until it is known who answers for its client. */
async function chooseWhenKnown(clientId: string, request: Request): Promise<Response> {
  // An earlier life of this worker may have known that the page is starting.
  const answerer = await connections.find(clientId, isNeededToStart(request))
  if (answerer === 'others') others.add(clientId)
  const page = answerer === 'others' ? await owners.find(clientId, request) : answerer
  if (typeof page === 'object') {
    if (answerer === 'others') return couldMatch(page, request) ? ask(page, request) : fetch(request)
    return chooseOfPage(page, request)?.() ?? fetch(request)
  }
  if (page === 'unmocked') return fetch(request)
  const gone = connections.getGone(owners.get(clientId) ?? clientId) ?? []
  return gone.length === 0 || couldMatch(gone, request) ? fail(request) : fetch(request)
}

function chooseOfPage(page: MockingPage, request: Request): (() => Promise<Response>) | undefined {
  if (couldMatch(page, request)) return () => ask(page, request)
  if (!isOfScript(request)) return undefined
  if (page.some(({ table }) => table.others === 'ask')) return () => ask(page, request)
  for (const connection of page) {
    const { others: strategy, wantsJson } = connection.table
    if (strategy !== 'notify') continue
    const isWanted = wantsJson && request.method === 'POST' && /json/.test(request.headers.get('content-type') ?? '')
    void notify(connection, isWanted ? toRequestData(request.clone()) : toRequestHead(request))
  }
  return undefined
}

/** Whether the scripts that start mocking may consist of it, or wait for it. */
function isNeededToStart({ destination }: Request): boolean {
  const needed = ['script', 'style', 'json', 'worker', 'sharedworker', 'serviceworker', 'manifest', 'xslt', 'report']
  return needed.includes(destination)
}

/** Whether a script's call (`fetch`, XHR, beacons) made a request, in contrast to an asset that the page refers to. */
function isOfScript(request: Request): boolean {
  return request.destination === ''
}

/** Tells a page of a request that goes its way untouched. */
async function notify(connection: Connection, request: RequestData | Promise<RequestData>): Promise<void> {
  connection.send({ type: 'notice', request: await request })
}

/** Gets the worker out of the way at once where its project has gone: what served its script does not any more. */
function removeIfLeftOver(): Promise<void> {
  leftOverCheck ??= (async () => {
    if (isTakenIn || !(await isLeftOver())) return
    isKnownLeftOver = true
    connections.endLoading()
    if (await connections.areAllGone()) await self.registration.unregister()
  })()
  return leftOverCheck
}

let navigations = 0

/**
 * After a navigation, removes the worker where no page that is open has asked for mocking: then it is left over from
 * earlier, and whatever served it may be gone. A page that only takes long to start registers it again. Only the last
 * navigation decides: a page that is reloaded has nothing for a moment that tells whether it mocks.
 */
async function endLease(): Promise<void> {
  const own = (navigations += 1)
  await new Promise((resolve) => {
    setTimeout(resolve, leaseTime)
  })
  if (own === navigations && (await connections.areAllGone())) await self.registration.unregister()
}

/**
 * Asks the engines of a page, the one that started last first, until one has a handler that matches. A test runner that
 * evaluates the engine again for the next file expects the answers of that one.
 *
 * @param source what the body is read from
 */
async function ask(page: MockingPage, request: Request, source: Request = request): Promise<Response> {
  const engines = page.toReversed()
  const matching = engines.filter(({ table }) => table.couldMatch(request))
  const asked = matching.length > 0 ? matching : engines.filter(({ table }) => table.others === 'ask')
  let data = await toRequestData(source)
  for (const connection of asked) {
    const { id, decision } = connection.ask(data, matching.length > 0)
    connections.watch()
    request.signal.addEventListener('abort', () => connection.send({ type: 'abort', id }), { once: true })
    const decided = await decision
    if (!decided) return fail(request, decided === null ? 'sent an invalid decision. Reload the page.' : undefined)
    if (decided.type === 'mocked') return fromResponseData(decided.response, request)
    if (decided.type === 'network-error') return Response.error()
    data = { ...data, body: decided.body }
    if (decided.isUnhandled && connection !== asked.at(-1)) continue
    const response = await sendToNetwork(request, decided.body)
    if (decided.wantsResponse) {
      const copy = toResponseData(response.clone())
      connection.send({ type: 'response', id, response: copy }, copy.body ? [copy.body as ReadableStream] : [])
    }
    return response
  }
  return sendToNetwork(request, data.body)
}

/** Handlers might have matched: the request must not reach the network. */
function fail({ method, url }: Request, reason = 'is closed or was reloaded. Use an open page.'): Response {
  console.error(`[understudy] Failed to answer ${method} ${url}: the page whose handlers answer it ${reason} (US0309)`)
  return Response.error()
}

/** @param body the body that was read from the request; default: the body was not read */
function sendToNetwork(request: Request, body: ArrayBuffer | null = null): Promise<Response> {
  if (!request.bodyUsed && !isBypassed(request.headers) && !hasDecodedHeaders(request)) return fetch(request)
  const headers = new Headers(readHeaders(request))
  removeBypassMark(headers)
  const { referrer, referrerPolicy } = request
  // The constructor of `Request` drops the referrer of the given request, unless it is passed.
  const sent = request.bodyUsed && { body: body ?? new ArrayBuffer(0) }
  return fetch(new Request(request, { headers, referrer, referrerPolicy, ...sent }))
}
