import type { LoggedRequest, RemoteInspection } from '@understudy/engine/inspect'
import { expect, test } from 'vitest'

import { hideTools } from './hide-tools.ts'

type State = ReturnType<RemoteInspection['getState']>

const handler = (id: number, shadowedBy: number | null = null): State['handlers'][number] => ({
  id,
  kind: 'request',
  header: `GET /${id}`,
  layer: 'initial',
  origin: null,
  hits: 0,
  enabled: true,
  isUsedUp: false,
  override: null,
  shadowedBy,
})
const request = (changes: Partial<LoggedRequest>): LoggedRequest => ({
  id: '1',
  method: 'GET',
  url: 'http://localhost/1',
  name: null,
  startedAt: 0,
  matchedAfter: 0,
  duration: 1,
  respondedAfter: null,
  outcome: 'mocked',
  status: 200,
  statusText: 'OK',
  error: null,
  thrown: null,
  handler: { id: 1, header: 'GET /1' },
  forced: null,
  noResponse: [],
  nearest: [],
  suggestion: null,
  ...changes,
})
const labels = [{ id: 9, layer: 'toolbar', group: null }]
const byToolbar = { id: 9, header: 'ALL *' }

function create(state: Partial<State>): { getState: () => State; set: (changes: Partial<State>) => void } {
  let current = {
    handlers: [handler(1)],
    requests: [],
    connections: [],
    info: { title: '', url: null, notices: [], labels: [] },
    ...state,
  } as State
  const remote = { getState: () => current } as RemoteInspection
  return {
    getState: hideTools(remote).getState,
    set: (changes) => {
      current = { ...current, ...changes }
    },
  }
}

test('without a condition, the state is the network’s own', () => {
  const { getState } = create({})
  expect(getState().handlers).toEqual([handler(1)])
  expect(getState()).toBe(getState())
})

test('the handler of the toolbar is hidden, and shadows none', () => {
  const info = { title: '', url: null, notices: [], labels }
  const { getState } = create({ handlers: [handler(9), handler(1, 9), handler(2, 1)], info })
  expect(getState().handlers).toEqual([handler(1), handler(2, 1)])
  expect(getState()).toBe(getState())
})

test('requests that it answered have a forced response, also after the condition has ended', () => {
  const info = { title: '', url: null, notices: [], labels }
  const requests = [
    request({ status: 500, handler: byToolbar }),
    request({ outcome: 'network-error', status: null, handler: byToolbar }),
    request({ outcome: 'pending', status: null, handler: byToolbar }),
    request({ noResponse: [byToolbar] }),
  ]
  const { getState, set } = create({ info, requests })
  const expected = [
    { handler: null, forced: { status: 500 } },
    { handler: null, forced: { networkError: true } },
    { handler: null, forced: null },
    { handler: { id: 1 }, forced: null, noResponse: [] },
  ]
  expect(getState().requests).toMatchObject(expected)
  set({ info: { ...info, labels: [] } })
  expect(getState().requests).toMatchObject(expected)
})

test('modules of the preview are hidden, and other assets and requests to other origins are not', () => {
  const info = { title: '', url: 'http://localhost/iframe.html', notices: [], labels: [] }
  const unhandled = (path: string, changes: Partial<LoggedRequest> = {}): LoggedRequest =>
    request({ outcome: 'unhandled', handler: null, url: `http://localhost${path}`, ...changes })
  const modules = [
    unhandled('/node_modules/.cache/react.js?v=1'),
    unhandled('/src/BoatList.tsx?t=2'),
    unhandled('/@id/x?v=3'),
  ]
  const others = [
    unhandled('/picture.png?v=1'),
    unhandled('/api/boats?query=x', { suggestion: 'http.get()' }),
    unhandled('/src/save.ts', { method: 'POST' }),
    unhandled('', { url: 'https://cdn.example/app.js?v=1' }),
    request({ url: 'http://localhost/src/mocked.js' }),
  ]
  expect(create({ info, requests: [...modules, ...others] }).getState().requests).toEqual(others)
})
