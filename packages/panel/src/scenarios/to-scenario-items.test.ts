import type { InspectedHandler, LoggedRequest, Override, RequestDetails } from '@understudy/engine/inspect'
import { expect, test } from 'vitest'

import { isScenarioItems, isScenarioName } from '../handler-code/scenario-item.ts'
import type { PanelHost, PanelState } from '../panel-host.ts'
import { createRequest } from '../testing/create-request.ts'
import { toScenarioItems, type ScenarioItems } from './to-scenario-items.ts'

function createHandler(id: number, header: string, given: Partial<InspectedHandler> = {}): InspectedHandler {
  const plain = { kind: 'request', origin: null, hits: 0, isUsedUp: false, shadowedBy: null } as const
  return { ...plain, id, header, layer: 'initial', enabled: true, override: null, ...given }
}

const forced = (id: number, header: string, override: Override): InspectedHandler =>
  createHandler(id, header, { override })

const answered = (id: number, header: string, given: Partial<LoggedRequest> = {}): LoggedRequest =>
  createRequest(`request ${id}`, {
    url: 'http://localhost/api/users/7',
    outcome: 'mocked',
    status: 200,
    handler: { id, header },
    ...given,
  })

const json = '{"name":"Ada"}'
const own: RequestDetails = {
  headers: null,
  bodies: {
    request: null,
    response: { type: 'application/json', size: 14, isComplete: true, text: json, base64: null },
  },
  frames: [],
}

async function convert(
  handlers: readonly InspectedHandler[],
  requests: readonly LoggedRequest[] = [],
  details: Readonly<Record<string, RequestDetails>> = {},
): Promise<ScenarioItems> {
  const info = { title: '', url: 'http://localhost/page', notices: [], labels: [] }
  const state: PanelState = { handlers, requests, connections: [], info }
  const host = { getState: () => state, details: async (id: string) => details[id] ?? own } as unknown as PanelHost
  const converted = await toScenarioItems(state, host)
  expect(converted.items.length === 0 || isScenarioItems(converted.items)).toBe(true)
  return converted
}

const header = 'GET /api/users/:id'

test('a forced status keeps the body of the response', async () => {
  const { items, notes } = await convert([forced(1, header, { status: 503 })], [answered(1, header)])
  expect(notes).toEqual([])
  expect(items).toMatchObject([
    { answer: 'response', delay: 0, exchange: { status: 503, text: json, type: 'application/json', header } },
  ])
})

test('a response that was forced otherwise before is not used, if there is another one', async () => {
  const requests = [
    answered(1, header, { id: 'edited', forced: { isEdited: true } }),
    answered(1, header, { id: 'failed', forced: { status: 500 }, status: 500 }),
    answered(1, header, { id: 'own' }),
  ]
  const response = { ...own.bodies.response, text: '"edited"' } as RequestDetails['bodies']['response']
  const details = { edited: { ...own, bodies: { request: null, response } } }
  const { items } = await convert([forced(1, header, { status: 404 })], requests, details)
  expect(items).toMatchObject([{ exchange: { status: 404, text: json } }])
})

test('an edited response has its own headers and body', async () => {
  const headers = [
    ['Content-Type', 'text/csv'],
    ['Content-Length', '3'],
    ['X-Page', '2'],
  ] as const
  const { items } = await convert([forced(1, header, { headers, body: 'a,b' })], [answered(1, header)])
  expect(items).toMatchObject([
    { answer: 'response', exchange: { status: 200, text: 'a,b', type: 'text/csv', headers: [['X-Page', '2']] } },
  ])
})

test('a network error and a delay need no response', async () => {
  const { items, notes } = await convert([
    forced(1, header, { networkError: true, delay: 100 }),
    forced(2, 'POST /api/users', { delay: 2000 }),
  ])
  expect(items).toMatchObject([
    { answer: 'error', delay: 100, exchange: { header } },
    { answer: 'next', delay: 2000, exchange: { header: 'POST /api/users' } },
  ])
  expect(notes).toEqual([])
})

const lacksBody = (of: string): string =>
  `${of} answers without a body in the scenario, because the panel has no response of it. Let the app send the request again while the panel is open.`

test('a note says why a response has no body', async () => {
  const image = { type: 'image/png', size: 2, isComplete: true, text: null, base64: 'AP8=' }
  const { items, notes } = await convert(
    [
      forced(1, header, { status: 500 }),
      forced(2, 'GET /b', { status: 500 }),
      forced(3, 'GET /c', { body: json }),
      forced(4, 'GET /d', { status: 204 }),
    ],
    [answered(1, header, { id: 'image' })],
    { image: { ...own, bodies: { request: null, response: image } } },
  )
  expect(items).toMatchObject([
    { exchange: { status: 500, text: null, base64: 'AP8=', type: 'image/png' } },
    { exchange: { status: 500, text: null, base64: null } },
    { exchange: { text: json, type: 'application/json' } },
    { exchange: { status: 204, text: null } },
  ])
  expect(notes).toEqual([lacksBody('GET /b')])
})

test('a response whose body was not kept is not used, if there is another one', async () => {
  const requests = [answered(1, header, { id: 'new' }), answered(1, header, { id: 'old', status: 201 })]
  const lost = { ...own, bodies: { request: null, response: null } }
  const kept = await convert([forced(1, header, { headers: [] })], requests, { new: lost })
  expect(kept).toMatchObject({ items: [{ exchange: { status: 201, text: json } }], notes: [] })
  const { items, notes } = await convert([forced(1, header, { headers: [] })], requests, { new: lost, old: lost })
  expect(items).toMatchObject([{ exchange: { status: 200, text: null } }])
  expect(notes).toEqual([lacksBody(header)])
})

test('handlers that are switched off, or whose path is unknown, are left out', async () => {
  const { items, notes } = await convert([
    createHandler(1, 'GET /off', { enabled: false, override: { status: 500 } }),
    forced(2, 'GET /\\/users\\/\\d+/', { status: 500 }),
    forced(3, 'GET /long', { body: 'a'.repeat(500_001) }),
  ])
  expect(items).toEqual([])
  expect(notes).toEqual([
    'GET /off is switched off. A scenario cannot switch off a handler.',
    expect.stringContaining('GET /\\/users\\/\\d+/ is left out, because its path is not a text.'),
    expect.stringContaining('GET /long is left out, because its edited body is too long.'),
  ])
})

test('a handler with a RegExp gets the path of its last request', async () => {
  const expression = 'GET /\\/users\\/\\d+/'
  const { items } = await convert([forced(1, expression, { networkError: true })], [answered(1, expression)])
  expect(items).toMatchObject([{ exchange: { header: null, url: 'http://localhost/api/users/7' } }])
})

test('a note names the handlers whose requests the scenario answers, too', async () => {
  const { notes } = await convert([
    createHandler(1, 'GET /api/users/me'),
    createHandler(2, 'POST /api/users/me'),
    createHandler(3, 'GET /api/users/me/posts'),
    createHandler(4, 'GET /api/users/old', { enabled: false }),
    createHandler(5, 'GET /api/users/late', { layer: 'runtime' }),
    forced(6, header, { networkError: true }),
    forced(7, 'ALL *', { delay: 1 }),
  ])
  expect(notes).toEqual([
    'GET /api/users/old is switched off. A scenario cannot switch off a handler.',
    `In the scenario, ${header} comes first, and also answers requests for GET /api/users/me.`,
    'In the scenario, ALL * comes first, and also answers requests for GET /api/users/me, POST /api/users/me, GET /api/users/me/posts.',
  ])
})

test.each(['a', 'payment-fails', 'a b', '__proto__', 'ünï', 'x'.repeat(100)])('the name %j is valid', (name) => {
  expect(isScenarioName(name)).toBe(true)
})

test.each(['', ' ', ' a', 'a ', 'a,b', ',', 'a\n', 'x'.repeat(101), null, ['a']])(
  'the name %j is not valid',
  (name) => {
    expect(isScenarioName(name)).toBe(false)
  },
)
