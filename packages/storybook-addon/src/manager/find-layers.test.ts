import type { PanelState } from '@understudy/panel'
import { expect, test } from 'vitest'

import { findLayers } from './find-layers.ts'

const header = 'GET /api/boats'

/** @param handlers the layer of each handler, and its line */
function stateOf(...handlers: readonly (readonly [layer: string, line: number | null])[]): PanelState {
  return {
    handlers: handlers.map(([, line], id) => ({ id, header, origin: line === null ? undefined : { line } })),
    info: { labels: handlers.map(([layer], id) => ({ id, layer })) },
  } as unknown as PanelState
}

test('the handlers with the header and the line of the one that answered may be in several files', () => {
  const state = stateOf(['project', 5], ['story', 5], ['project', 9], ['scenario', 12])
  expect(findLayers({ header, line: 9 }, state)).toEqual(['project'])
  expect(findLayers({ header, line: 5 }, state)).toEqual(['project', 'story'])
  expect(findLayers({ header, line: 12 }, state)).toEqual(['scenario'])
})

test('a handler whose position is unknown is found by its header', () => {
  expect(findLayers({ header, line: null }, stateOf(['project', null], ['story', 5]))).toEqual(['project'])
})

test('no handler answered, or it is unknown', () => {
  expect(findLayers({ header: null, line: null }, stateOf(['project', 5]))).toEqual([])
  expect(findLayers({ header, line: 5 }, null)).toEqual([])
  expect(findLayers({ header: 'GET /other', line: 5 }, stateOf(['project', 5]))).toEqual([])
})
