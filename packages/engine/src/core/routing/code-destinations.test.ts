import { expect, test } from 'vitest'

import { isNeededToStart } from './code-destinations.ts'

test.each([
  'script',
  'style',
  'json',
  'worker',
  'sharedworker',
  'audioworklet',
  'paintworklet',
] as RequestDestination[])('%s is code', (destination) => expect(isNeededToStart({ destination })).toBe(true))

test.each(['', 'image', 'font', 'audio', 'video', 'track', 'document', 'iframe', 'object'] as RequestDestination[])(
  '"%s" is not',
  (destination) => expect(isNeededToStart({ destination })).toBe(false),
)
