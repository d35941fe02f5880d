import { announceStart } from './announce-start.ts'
import { getPageState, type Gate, type Natives, type PageScope } from './gate.ts'
import { createHeldPage } from './held-page.ts'
import { holdCache } from './hold-cache.ts'
import { holdElementSources } from './hold-element-sources.ts'
import { holdEventSource } from './hold-event-source.ts'
import { holdFetchLater } from './hold-fetch-later.ts'
import { holdFetch } from './hold-fetch.ts'
import { holdSendBeacon } from './hold-send-beacon.ts'
import { holdWebSocket } from './hold-web-socket.ts'
import { holdWorker } from './hold-worker.ts'
import { holdXMLHttpRequest } from './hold-xml-http-request.ts'

/** Holds the requests of a window's code. Returns the existing gate if there is one. */
export function installGate(scope: PageScope): Gate {
  const state = getPageState(scope)
  if (state.gate) return state.gate

  const endStart = announceStart(scope)
  if ('mozInnerScreenX' in scope) scope.addEventListener('beforeunload', () => (state.leftAt = performance.now()))
  let lastHold: symbol | undefined
  let isEnding = false
  const page = createHeldPage(scope, state.neverHeld)
  holdCache(page)
  holdFetch(page)
  holdFetchLater(page)
  holdXMLHttpRequest(page)
  holdEventSource(page)
  holdWebSocket(page)
  holdWorker(page)
  holdSendBeacon(page)
  holdElementSources(page)
  page.wrap(scope, 'WebSocketStream', {
    construct(args, create) {
      ;(state.earlyStreams ??= []).push(args)
      return create()
    },
  })

  const gate: Gate = {
    natives: page.natives as Natives,
    get state() {
      return page.isOpen ? 'open' : 'held'
    },
    get held() {
      return page.count
    },
    get replacements() {
      return page.replacements
    },
    open(replacements = {}) {
      page.open(replacements, gate.onRelease)
      endStart?.()
    },
    hold({ connections = true } = {}) {
      const own = (lastHold = Symbol('hold'))
      isEnding = !connections
      page.close(connections)
      return () => {
        if (lastHold === own) page.open({}, gate.onRelease)
      }
    },
    get isEnding() {
      return isEnding && !page.isOpen
    },
  }
  return (state.gate = gate)
}
