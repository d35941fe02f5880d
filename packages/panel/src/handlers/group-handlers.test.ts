import type { InspectedHandler } from '@understudy/engine/inspect'
import { expect, test } from 'vitest'

import { groupHandlers } from './group-handlers.ts'

const create = (id: number, layer: InspectedHandler['layer']): InspectedHandler => ({
  id,
  kind: 'request',
  header: `GET /${id}`,
  layer,
  origin: null,
  hits: 0,
  enabled: true,
  isUsedUp: false,
  override: null,
  shadowedBy: null,
})

const info = { url: null, title: '', notices: [], labels: [] }

test('sections have names that say when their handlers were added', () => {
  const sections = groupHandlers([create(1, 'runtime'), create(2, 'initial'), create(3, 'initial')], info)
  expect(sections.map(({ layer, handlers }) => [layer, handlers.map(({ id }) => id)])).toEqual([
    ['Added at run time', [1]],
    ['From the start', [2, 3]],
  ])
})
