import type { LoggedRequest, RemoteInspection } from '@understudy/engine/inspect'

type State = ReturnType<RemoteInspection['getState']>

/**
 * Removes from a network what developers did not write: the handler of the toolbar's network condition, and the modules of the preview.
 * Requests that the handler answered have a forced response. The worker asks about modules if a handler may match any URL, and they would
 * be most of the log.
 */
export function hideTools(network: RemoteInspection): RemoteInspection {
  // Requests stay in the log after the condition has ended.
  const ids = new Set<number>()
  let source: State | undefined
  let shown: State | undefined
  const getState = (): State => {
    const state = network.getState()
    if (!shown || source !== state) {
      source = state
      for (const { id, layer } of state.info.labels) if (layer === 'toolbar') ids.add(id)
      const told = withoutModules(state)
      shown = ids.size === 0 ? told : withoutHandlers(told, ids)
    }
    return shown
  }
  return { ...network, getState }
}

/** Removes requests for modules that no handler matched. A handler of a module is a handler that developers wrote. */
function withoutModules(state: State): State {
  const { requests, info } = state
  const told = requests.filter((request) => !isModule(request, info.url))
  return told.length === requests.length ? state : { ...state, requests: told }
}

function isModule({ outcome, suggestion, method, url }: LoggedRequest, page: string | null): boolean {
  if (outcome !== 'unhandled' || suggestion !== null || method !== 'GET' || page === null) return false
  const { origin, pathname } = new URL(url, page)
  return (
    origin === new URL(page).origin &&
    /\/node_modules\/|\/@(?:vite|id|fs)\b|\.(?:[cm]?[jt]sx?|mdx|vue|svelte)$/.test(pathname)
  )
}

function withoutHandlers(state: State, ids: ReadonlySet<number>): State {
  return {
    ...state,
    handlers: state.handlers
      .filter(({ id }) => !ids.has(id))
      .map((handler) => (ids.has(handler.shadowedBy ?? -1) ? { ...handler, shadowedBy: null } : handler)),
    requests: state.requests.map((request) => withoutHandler(request, ids)),
  }
}

function withoutHandler(request: LoggedRequest, ids: ReadonlySet<number>): LoggedRequest {
  const noResponse = request.noResponse.filter(({ id }) => !ids.has(id))
  if (!ids.has(request.handler?.id ?? -1)) return { ...request, noResponse }
  const { outcome, status } = request
  const forced =
    outcome === 'network-error' ? { networkError: true } : outcome === 'mocked' && status !== null ? { status } : null
  return { ...request, noResponse, handler: null, forced }
}
