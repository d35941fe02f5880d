import { expect, test } from 'vitest'

import { formatPlace, formatShortPlace } from './source-place.ts'

test.each([
  ['http://localhost:5173/src/mocks/handlers.ts?t=17', 'src/mocks/handlers.ts:3', 'mocks/handlers.ts:3'],
  ['http://localhost:5173/@fs/app/a%20b/handlers.ts', '/app/a b/handlers.ts:3', 'a b/handlers.ts:3'],
  ['file:///app/handlers.ts', '/app/handlers.ts:3', 'app/handlers.ts:3'],
  ['webpack-internal:///./src/handlers.ts', 'src/handlers.ts:3', 'src/handlers.ts:3'],
  ['handlers.ts', 'handlers.ts:3', 'handlers.ts:3'],
  ['http://localhost/src/(shop)/%5Bid%5D/@modal.ts', 'src/(shop)/[id]/@modal.ts:3', '[id]/@modal.ts:3'],
  ['http://localhost:5173/@fs/C:/app/handlers.ts', 'C:/app/handlers.ts:3', 'app/handlers.ts:3'],
  ['file:///C:/app/handlers.ts', 'C:/app/handlers.ts:3', 'app/handlers.ts:3'],
  ['C:\\app\\handlers.ts', 'C:\\app\\handlers.ts:3', 'app/handlers.ts:3'],
  ['webpack://my-app/./src/(shop)/b%C3%BCcher.ts?', 'src/(shop)/bücher.ts:3', '(shop)/bücher.ts:3'],
  ['webpack-internal:///(app-pages-browser)/./src/(shop)/a.ts', 'src/(shop)/a.ts:3', '(shop)/a.ts:3'],
  ['src/c#/100%41.ts', 'src/c#/100%41.ts:3', 'c#/100%41.ts:3'],
  ['http://localhost/%E0%A4%A', '%E0%A4%A:3', '%E0%A4%A:3'],
])('%s reads %s, and %s for short', (file, full, short) => {
  const place = { file, line: 3, column: 7 }
  expect([formatPlace(place), formatShortPlace(place)]).toEqual([full, short])
})
