import type { InspectedHandler } from '@understudy/engine/inspect'
import { expect, test } from 'vitest'

import type { PanelState } from '../panel-host.ts'
import { describeOverrider, groupHandlers } from './group-handlers.ts'

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

const info: PanelState['info'] = { url: null, title: '', notices: [], labels: [] }

test('sections have names that say when their handlers were added', () => {
  const sections = groupHandlers([create(1, 'runtime'), create(2, 'initial'), create(3, 'initial')], info)
  expect(sections.map(({ layer, handlers }) => [layer, handlers.map(({ id }) => id)])).toEqual([
    ['Added at run time', [1]],
    ['Handlers module', [2, 3]],
  ])
})

test('a handler of another layer overrides, and one of the same layer shadows', () => {
  const label = (id: number, layer: string, group: string | null = null) => ({ id, layer, group })
  const labelled = { ...info, labels: [label(1, 'story'), label(2, 'story', 'boats'), label(3, 'component')] }
  const describe = (first: InspectedHandler['layer'], second: InspectedHandler['layer'], of = info) =>
    describeOverrider(create(3, second), create(1, first), of)
  expect(describe('runtime', 'initial')).toBe('a handler added at run time')
  expect(describe('scoped', 'initial')).toBe('a handler of a later scope')
  expect(describe('initial', 'initial')).toBeUndefined()
  expect(describe('scoped', 'scoped', labelled)).toBe('the story')
  expect(describeOverrider(create(2, 'scoped'), create(1, 'scoped'), labelled)).toBeUndefined()
  const scenario = { ...info, labels: [{ id: 1, layer: 'Scenario', group: 'empty' }] }
  expect(describe('scoped', 'initial', scenario)).toBe('the scenario empty')
  const runtime = { ...info, labels: [label(1, 'runtime'), label(3, 'story')] }
  expect(describe('scoped', 'scoped', runtime)).toBe('a handler added at run time')
})
