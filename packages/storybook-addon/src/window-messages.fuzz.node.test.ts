import fc from 'fast-check'
import { expect, it } from 'vitest'

import { fuzzSettings } from '../../engine/src/testing/fuzz-settings.ts'
import corpus from './window-messages.corpus.json' with { type: 'json' }
import { readStoryReport, readWindowMessage, sealWindowMessage } from './window-messages.ts'

const anything = fc.anything({ withNullPrototype: true, withBigInt: true, withDate: true, withSparseArray: true })
const mark = 'understudy:storybook'
const name = fc.constantFrom('inspection', 'report', 'request-reports', 'settings', 'constructor', '__proto__', '')
const count = fc.oneof(fc.integer(), fc.double(), fc.constantFrom(2 ** 53, -0, '1', null), anything)
const report = fc.record(
  {
    storyId: fc.oneof(fc.string(), anything),
    refId: fc.oneof(fc.string(), fc.constant(null), anything),
    unhandled: count,
    errors: count,
    problems: count,
  },
  { requiredKeys: [] },
)
const message = fc.oneof(
  anything,
  fc.record({ [mark]: fc.oneof(name, anything), payload: fc.oneof(report, anything) }, { requiredKeys: [] }),
  // A mark that is inherited belongs to no message.
  fc.record({ payload: report }).map((own) => Object.assign(Object.create({ [mark]: 'report' }) as object, own)),
)

const names = Object.getOwnPropertyNames(Object.prototype)

it('reads any message of a window, or leaves it to others', () => {
  fc.assert(
    fc.property(message, (data) => {
      const read = readWindowMessage(data)
      expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(names)
      if (!read) return
      expect(['inspection', 'report', 'request-reports', 'settings']).toContain(read.name)
      expect(Object.hasOwn(data as object, mark)).toBe(true)
      expect(readWindowMessage(sealWindowMessage(read.name, read.payload as null))).toEqual(read)
    }),
    fuzzSettings(
      corpus.messages.map((each) => [each] as [unknown]),
      3_000,
    ),
  )
})

it('reads any report of a story, or refuses it', () => {
  fc.assert(
    fc.property(fc.oneof(report, anything), (value) => {
      const read = readStoryReport(value)
      if (!read) return
      const { storyId, refId, unhandled, errors, problems, ...others } = read
      expect(others).toEqual({})
      expect([typeof storyId, refId === null || typeof refId === 'string']).toEqual(['string', true])
      for (const each of [unhandled, errors, problems]) expect(Number.isSafeInteger(each) && each >= 0).toBe(true)
    }),
    fuzzSettings(
      corpus.reports.map((each) => [each] as [unknown]),
      3_000,
    ),
  )
})
