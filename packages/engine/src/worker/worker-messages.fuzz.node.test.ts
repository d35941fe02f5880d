import fc from 'fast-check'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'

import { fuzzSettings } from '../testing/fuzz-settings.ts'
import { Connection } from './connection.ts'
import { isDecision, isMessage, tableForm, type RequestData } from './protocol.ts'
import { isTable, Table } from './table.ts'
import corpus from './worker-messages.corpus.json' with { type: 'json' }

const prototypeNames = Object.getOwnPropertyNames(Object.prototype)
const anything = fc.anything({ withNullPrototype: true, withBigInt: true, withDate: true, withMap: true })
const text = fc.constantFrom('GET', 'https://app.test', 'a', '__proto__', 'constructor', '', '%')
const mostly = <Value>(value: fc.Arbitrary<Value>): fc.Arbitrary<unknown> =>
  fc.oneof({ arbitrary: value, weight: 60 }, { arbitrary: anything, weight: 1 })
const route = fc.record(
  {
    methods: mostly(fc.option(fc.array(mostly(text)))),
    origin: mostly(fc.option(text)),
    segments: mostly(fc.array(mostly(fc.option(text)))),
    open: mostly(fc.boolean()),
    search: mostly(fc.array(mostly(text))),
    exact: mostly(fc.boolean()),
  },
  { requiredKeys: ['methods', 'origin', 'segments'] },
)
const table = fc.record({
  form: mostly(fc.constant(tableForm)),
  parts: mostly(
    fc.array(
      mostly(fc.record({ id: mostly(fc.integer()), routes: mostly(fc.array(mostly(route), { maxLength: 3 })) })),
    ),
  ),
  others: mostly(fc.constantFrom('nothing', 'notify', 'ask')),
  wantsJson: mostly(fc.boolean()),
})
const decision = fc.record(
  {
    type: mostly(fc.constantFrom('mocked', 'network-error', 'passthrough', 'heard', 'constructor', '__proto__')),
    response: mostly(fc.constant({ status: 200, statusText: '', headers: [], body: null })),
    body: mostly(fc.constantFrom(null, new ArrayBuffer(1), 'text', undefined)),
  },
  { requiredKeys: [] },
)

const requests = ['https://app.test/a', 'https://app.test/__proto__/constructor?a=1#b', 'https://other.test/%']

afterEach(() => {
  expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(prototypeNames)
})

it('an accepted table works with any request', () => {
  let accepted = 0
  fc.assert(
    fc.property(fc.oneof({ arbitrary: table, weight: 4 }, { arbitrary: anything, weight: 1 }), (value) => {
      if (!isTable(value)) return
      accepted += 1
      const known = new Table()
      known.set(value)
      for (const method of ['GET', 'POST']) {
        for (const url of requests) expect(typeof known.couldMatch(new Request(url, { method }))).toBe('boolean')
      }
    }),
    fuzzSettings(
      corpus.tables.map((each) => [each] as [unknown]),
      3_000,
    ),
  )
  expect(accepted).toBeGreaterThan(300)
})

it('a table of another form is not accepted, whatever this version understands of it', () => {
  const value = { form: tableForm, parts: [], others: 'ask', wantsJson: false }
  expect(isTable(value)).toBe(true)
  for (const form of [undefined, '1', tableForm + 1]) expect(isTable({ ...value, form })).toBe(false)
})

it('a message without a known type is not a message of a page', () => {
  fc.assert(
    fc.property(fc.oneof(decision, anything), (value) => {
      expect(typeof isMessage(value)).toBe('boolean')
      const type = isDecision(value) ? value.type : 'network-error'
      expect(['mocked', 'network-error', 'passthrough']).toContain(type)
    }),
    fuzzSettings(
      corpus.decisions.map((each) => [each] as [unknown]),
      3_000,
    ),
  )
})

let channel: MessageChannel
beforeEach(() => {
  vi.spyOn(console, 'error').mockReturnValue()
  channel = new MessageChannel()
})
afterEach(() => {
  channel.port1.close()
  channel.port2.close()
  vi.restoreAllMocks()
})

it('a request goes to the network only if the page decides so, and fails on an invalid decision', async () => {
  const { port1, port2 } = channel
  const connection = new Connection('client', 'engine', port1)
  const answers: unknown[] = []
  port2.addEventListener('message', ({ data }: MessageEvent<{ id: number }>) => {
    const answer = answers.shift()
    port2.postMessage(typeof answer === 'object' && answer !== null ? { ...answer, id: data.id } : answer)
  })
  port2.start()
  const request = { url: 'https://app.test/', body: null } as RequestData
  await fc.assert(
    fc.asyncProperty(decision, async (answer) => {
      // A message without a type is ignored, and the request waits for the next.
      fc.pre(isMessage(answer) && isCloneable(answer))
      answers.push(answer)
      const decided = await connection.ask(request, true).decision
      const { type, body, response } = answer as { type: string; body?: unknown; response?: unknown }
      const isRead =
        type === 'network-error' ||
        (type === 'passthrough' && (body === null || body instanceof ArrayBuffer)) ||
        (type === 'mocked' && typeof response === 'object' && response !== null)
      // `undefined` means that the page was closed, for which the worker has another reason.
      expect(decided === null ? null : decided?.type).toBe(isRead ? type : null)
    }),
    fuzzSettings(
      corpus.decisions.map((each) => [each] as [never]),
      500,
    ),
  )
})

function isCloneable(value: unknown): boolean {
  try {
    structuredClone(value)
    return true
  } catch {
    return false
  }
}
