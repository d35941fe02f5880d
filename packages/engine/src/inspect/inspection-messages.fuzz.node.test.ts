import fc from 'fast-check'
import { expect, it } from 'vitest'

import { fuzzSettings } from '../testing/fuzz-settings.ts'
import corpus from './inspection-messages.corpus.json' with { type: 'json' }
import { readNetworkMessage, readPanelMessage } from './inspection-messages.ts'

const panelTypes = ['hello', 'command', 'ask', 'watch', 'state', 'gone', 'answer', 'call']
const key = fc.constantFrom(
  'type',
  'network',
  'call',
  'command',
  'understudy',
  'handlers',
  'requests',
  'id',
  '__proto__',
  'constructor',
)
const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom(
      null,
      undefined,
      true,
      Number.NaN,
      0,
      '',
      'panel',
      'network',
      'toString',
      '__proto__',
      'constructor',
      ...panelTypes,
    ),
    fc.array(tie('any'), { maxLength: 3 }),
    fc.dictionary(key, tie('any'), { maxKeys: 6 }),
  ),
})).any
const message = fc.oneof(
  value,
  fc.anything(),
  fc
    .tuple(
      fc.constantFrom('panel', 'network'),
      fc.oneof(fc.constantFrom(...panelTypes, '__proto__', 'constructor', 'toString', 'hasOwnProperty'), value),
      value,
    )
    .map(([understudy, type, rest]) => ({ ...(rest as object), understudy, type })),
)

it('any message is read as a known message, or refused', () => {
  fc.assert(
    fc.property(message, (data) => {
      for (const read of [readPanelMessage, readNetworkMessage]) {
        const found = read(data)
        expect(found === undefined || (Object.hasOwn(found, 'type') && !(found.type in Object.prototype))).toBe(true)
      }
    }),
    fuzzSettings(
      corpus.messages.map((each) => [each] as [unknown]),
      5_000,
    ),
  )
})
