import { devServerPath } from '../core/network/dev-server-path.ts'
import { isBypassed } from '../core/responses/bypass-marks.ts'
/**
 * The service worker. It forwards requests that a page's handlers could match to that page, and leaves all others
 * alone. It is compiled to one classic script without dependencies.
 */
import { decidedMark } from '../core/responses/bypass.ts'
import { isNeededToStart } from '../core/routing/code-destinations.ts'
import { askPage } from './ask-page.ts'
import { Connection, couldMatch, type MockingPage } from './connection.ts'
import { Connections } from './connections.ts'
import { install } from './install.ts'
import { isLeftOver } from './left-over.ts'
import { PendingWork } from './pending-work.ts'
import {
  isMessage,
  probeForAsked,
  probeForIdle,
  probeHeader,
  probeParameter,
  protocolVersion,
  scriptParameter,
  synchronousHash,
  type ConnectMessage,
  type PageStateMessage,
  type RequestData,
  type SettingAnswer,
  type SettingMessage,
  type WorkerMessage,
} from './protocol.ts'
import { isFirefox, replaceWhenHeld } from './replace-when-held.ts'
import { toRequestData, toRequestHead } from './request-data.ts'
import { fail, sendToNetwork } from './send-to-network.ts'
import { isTable } from './table.ts'
import { leaseTime } from './time-outs.ts'
import { WorkerOwners } from './worker-owners.ts'

declare const self: ServiceWorkerGlobalScope

const connections = new Connections()
const owners = new WorkerOwners(connections)
const pending = new PendingWork()

let isKnownLeftOver = false
/** At most one check for each navigation. */
let leftOverCheck: Promise<void> | undefined

/** The place of this script. After an update, Firefox names an imported script as `importScripts` does: `/worker.js`. */
const ownPlace = /.*\d\)?$/m.exec(String(new Error('Here.').stack))

/**
 * Whether the script of a foreign worker imports this one with `importScripts`. Then this code must not unregister or
 * replace the worker. In that case, the stack shows another file than the worker's script.
 */
const isTakenIn = ownPlace?.[0].includes(self.location.href) === false

self.addEventListener('install', (event) => {
  if (!isTakenIn) event.waitUntil(install())
})

self.addEventListener('message', (event) => {
  const { source, origin } = event
  const data: unknown = event.data
  const [port] = event.ports
  if (origin && origin !== self.location.origin) return
  if (!(source instanceof Client) || !isMessage(data)) return
  receiveState(source.id, data as PageStateMessage, port)
  if (port) event.waitUntil(receive(source.id, data as ConnectMessage | SettingMessage, port))
})

function receiveState(clientId: string, message: PageStateMessage, port: MessagePort | undefined): void {
  switch (message.type) {
    case 'understudy:starting':
      connections.beginStart(clientId, 'announced')
      port?.postMessage(clientId)
      return
    case 'understudy:started':
      void connections.finishStart(clientId)
      return
    case 'understudy:gone':
      connections.leave(clientId)
      if (connections.all.length === 0) void removeIfLeftOver()
      return
    case 'understudy:owns':
      owners.restore([message.url], clientId)
      return
    case 'understudy:replace':
      // The app decides when its own worker replaces another one.
      if (!isTakenIn) void replaceWhenHeld(true)
      return
    case 'understudy:keep-alive':
    // This message has no other effect than to wake the worker.
  }
}

async function receive(clientId: string, message: ConnectMessage | SettingMessage, port: MessagePort): Promise<void> {
  const { engine } = message
  if (typeof engine !== 'string') return
  switch (message.type) {
    case 'understudy:connect': {
      const { table, workers, isControlled, version } = message
      if (Array.isArray(workers)) owners.restore(workers, clientId)
      if (!isTable(table)) {
        if (version === protocolVersion) return
        connections.refuse(clientId)
        port.postMessage({ type: 'refused', version: protocolVersion } satisfies WorkerMessage)
        return
      }
      const connection = new Connection(clientId, engine, port)
      connection.table.set(table)
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
  // Handlers must not answer requests for the panel.
  const isOfPanel = url.origin === self.location.origin && url.pathname.includes('/__understudy/')
  if (request.mode === 'navigate') {
    leftOverCheck = undefined
    connections.prerendered.note(request)
    if (resultingClientId && !isKnownLeftOver) {
      connections.beginLoading(resultingClientId, isOfPage(event))
      if (isFirefox) pending.addLoading(resultingClientId, connections)
    }
    if (connections.all.length === 0) void removeIfLeftOver()
    // Do not use `waitUntil`: a new worker that replaces this one would wait, too. This one lives long enough.
    if (!isTakenIn) void endLease()
    // Without a panel, the app may have a page at this path.
    if (!isOfPanel && mayBeMocked(request, url)) event.respondWith(pending.add(answerDocument(event)))
    return
  }
  if (isOfPanel) return
  if (resultingClientId && clientId) owners.add(resultingClientId, clientId)
  if (!url.protocol.startsWith('http')) return
  const probe = url.pathname === self.location.pathname ? url.searchParams.get(probeParameter) : null
  if (probe !== null) {
    event.respondWith(answerProbe(probe, clientId, request))
    return
  }
  const script = request.destination.endsWith('worker') ? url.searchParams.get(scriptParameter) : null
  if (script !== null) {
    const headers = { 'Content-Type': 'text/javascript', 'Cross-Origin-Embedder-Policy': url.hash.slice(1) }
    event.respondWith(new Response(script, { headers }))
    return
  }
  // The request blocks its page, so the page cannot answer. A response that the worker fetches would arrive too late,
  // too.
  if (url.hash === synchronousHash) return
  // In a worker, the platform rejects `fetch` of such a request. Developer tools make these requests.
  if (request.cache === 'only-if-cached' && request.mode !== 'same-origin') return

  // The start of a page may wait for code, or for the hot update that fixes its handlers. The gate lets the same requests
  // of dev servers pass.
  const isNeeded = isNeededToStart(request) || devServerPath.test(url.pathname)
  const respond = chooseResponse(clientId, request, isNeeded)
  if (respond) event.respondWith(pending.add(respond()))
})

/**
 * Returns whether a navigation belongs to a frame or a new window. In Chromium, `frameType` does not show new windows,
 * but a navigation in an existing window has the id of the client that it replaces. Firefox has no such id.
 */
function isOfPage({ clientId, request }: FetchEvent): boolean {
  const isOpened = 'isReloadNavigation' in request && clientId === '' && request.referrer !== ''
  return request.destination !== 'document' || isOpened
}

/**
 * Returns whether handlers may answer a request for a document. The app's first page is not mocked and must not wait.
 */
function mayBeMocked(request: Request, { origin, pathname }: URL): boolean {
  if (isKnownLeftOver || origin + pathname === self.registration.scope) return false
  return connections.isIncomplete || connections.couldAnyMatch(request)
}

/**
 * Asks any page that could match about a request for a document, because the page with the link may have been closed.
 */
async function answerDocument({ request, resultingClientId }: FetchEvent): Promise<Response> {
  const page = await owners.find('', request)
  if (typeof page !== 'object') return fetch(request)
  // A form with a body could not be sent after its body was read, because scripts cannot construct a navigation.
  const response = await askPage(connections, page, request, request.clone())
  const isMocked = response.type === 'default'
  if (isMocked) connections.noteMockedDocument(resultingClientId)
  // The requests of the document fail if the page that answers them closes, unless the dev server answers them.
  const [{ clientId, table }] = page as [Connection]
  if (isMocked && resultingClientId && !table.areServed) owners.add(resultingClientId, clientId)
  if (!isMocked || !response.body || request.destination !== 'document') return response
  // The page that streams the body unloads when this document arrives, so read the whole body before.
  return new Response(await response.arrayBuffer(), response)
}

async function answerProbe(probe: string, clientId: string, request: Request): Promise<Response> {
  if (probe === probeForIdle) await pending.untilNone()
  if (probe === probeForAsked) {
    // Wait as earlier requests do, whose bodies are read first.
    await request.arrayBuffer()
    const page = await connections.find(clientId)
    if (typeof page === 'object') await Promise.all(page.map((connection) => connection.untilHeard()))
  }
  return new Response(null, { status: 204, headers: { [probeHeader]: isTakenIn ? 'shared' : 'own' } })
}

/**
 * Returns a function that responds to a request, or `undefined` to leave the request alone.
 *
 * @param isNeeded whether the page may wait for this request before it starts mocking
 */
function chooseResponse(clientId: string, request: Request, isNeeded: boolean): (() => Promise<Response>) | undefined {
  const page = connections.getComplete(clientId)
  if (isBypassed(request.headers)) {
    // Listeners get this request, but handlers do not. A decided request was already reported to listeners.
    const isDecided = request.headers.get('accept')?.includes(decidedMark)
    const listening = (!isDecided && page?.filter(({ table }) => table.others === 'ask')) || []
    return listening.length > 0 ? () => askPage(connections, listening, request) : () => sendToNetwork(request)
  }
  if (page) return chooseOfPage(page, request)
  if (connections.isUnmocked(clientId)) return undefined
  if (connections.isStarting(clientId) || connections.isLoading(clientId)) {
    // Requests that are needed to start mocking must not wait for the start.
    if (isNeeded) return undefined
    // If scripts make requests before they announce mocking, it may never start.
    const isLate = connections.isLoading(clientId) && isOfScript(request)
    if (isLate && !connections.couldAnyMatch(request)) return undefined
    if (isLate) connections.endFrameLoading(clientId)
    if (connections.isLoading(clientId)) void removeIfLeftOver()
  }
  const owner = owners.get(clientId)
  const ownersPage = connections.getComplete(owner ?? '')
  if (ownersPage) return couldMatch(ownersPage, request) ? () => askPage(connections, ownersPage, request) : undefined
  const isOfNobody = !clientId || (owner === undefined && others.has(clientId) && connections.starting.length === 0)
  if (isOfNobody && !connections.isIncomplete && !connections.couldAnyMatch(request)) return undefined
  return () => chooseWhenKnown(clientId, request, isNeeded)
}

/** Clients without handlers of their own, for which no page that answers is known. */
const others = new Set<string>()

/** Waits until it is known which page answers for the client. */
async function chooseWhenKnown(clientId: string, request: Request, isNeeded: boolean): Promise<Response> {
  // This worker may have been restarted while the page starts.
  const answerer = await connections.find(clientId, isNeeded)
  if (answerer === 'others') others.add(clientId)
  const page = answerer === 'others' ? await owners.find(clientId, request) : answerer
  if (typeof page === 'object') {
    if (answerer === 'others') return couldMatch(page, request) ? askPage(connections, page, request) : fetch(request)
    return chooseOfPage(page, request)?.() ?? fetch(request)
  }
  if (page === 'unmocked') return fetch(request)
  const owner = owners.get(clientId) ?? clientId
  if (connections.isRefused(owner)) return fail(request, 'has another version. Reload the page.')
  const gone = connections.getGone(owner) ?? []
  return gone.length === 0 || couldMatch(gone, request) ? fail(request) : fetch(request)
}

function chooseOfPage(page: MockingPage, request: Request): (() => Promise<Response>) | undefined {
  if (couldMatch(page, request)) return () => askPage(connections, page, request)
  if (!isOfScript(request)) return undefined
  if (page.some(({ table }) => table.others === 'ask')) return () => askPage(connections, page, request)
  for (const connection of page) {
    const { others: strategy, wantsJson } = connection.table
    if (strategy !== 'notify') continue
    const isWanted = wantsJson && request.method === 'POST' && /json/.test(request.headers.get('content-type') ?? '')
    void notify(connection, isWanted ? toRequestData(request.clone()) : toRequestHead(request))
  }
  return undefined
}

/** Returns whether a script made a request (`fetch`, XHR, beacons), and not an element. */
function isOfScript(request: Request): boolean {
  return request.destination === ''
}

/** Reports a request that goes to the network unchanged to a page. */
async function notify(connection: Connection, request: RequestData | Promise<RequestData>): Promise<void> {
  connection.send({ type: 'notice', request: await request })
}

/** Unregisters the worker at once if the server no longer serves its script, because the project has changed. */
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
 * After a navigation, unregisters the worker if no open page has asked for mocking. Then the worker is left over from
 * earlier, and its server may be gone. A page that is only slow registers it again. Only the last navigation counts,
 * because the state of a reloading page is unknown for a moment.
 */
async function endLease(): Promise<void> {
  const own = (navigations += 1)
  await new Promise((resolve) => {
    setTimeout(resolve, leaseTime)
  })
  if (own === navigations && (await connections.areAllGone())) await self.registration.unregister()
}
