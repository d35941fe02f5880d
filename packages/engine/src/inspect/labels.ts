import { getGroup } from '../core/handlers/handler-groups.ts'
import type { Network } from '../core/network/network.ts'
import type { HandlerLabel } from './inspection-messages.ts'

/** The scenarios and the groups in which the handlers module exports handlers. */
export function labelsOfGroups({ layers, scenarios }: Network): HandlerLabel[] {
  return layers.entries().flatMap(({ id, handler, layer }): HandlerLabel[] => {
    const scenario = layer === 'scoped' ? scenarios?.nameOf(handler) : undefined
    if (scenario !== undefined) return [{ id, layer: 'Scenario', group: scenario }]
    const group = getGroup(handler)
    return group === undefined ? [] : [{ id, layer: null, group }]
  })
}
