import type { LoggedRequest, RemoteInspection } from '@understudy/engine/inspect'

type State = ReturnType<RemoteInspection['getState']>

/**
 * Removes the handler of the toolbar's network condition from a network: developers did not write it. Requests that it
 * answered have a forced response.
 */
export function hideToolbar(network: RemoteInspection): RemoteInspection {
  // Requests stay in the log after the condition has ended.
  const ids = new Set<number>()
  let source: State | undefined
  let shown: State | undefined
  const getState = (): State => {
    const state = network.getState()
    if (!shown || source !== state) {
      source = state
      for (const { id, layer } of state.info.labels) if (layer === 'toolbar') ids.add(id)
      shown = ids.size === 0 ? state : withoutHandlers(state, ids)
    }
    return shown
  }
  return { ...network, getState }
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
