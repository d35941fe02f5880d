import { getGroup } from '../core/handlers/handler-groups.ts'
import type { Network } from '../core/network/network.ts'
import type { HandlerLabel } from './shared-data.ts'

/** Returns the scenario or the group in which the handlers module exports each handler. */
export function labelsOfGroups({ layers, scenarios }: Network): HandlerLabel[] {
  return layers.entries().flatMap(({ id, handler, layer }): HandlerLabel[] => {
    const scenario = layer === 'scoped' ? scenarios?.nameOf(handler) : undefined
    if (scenario !== undefined) return [{ id, layer: 'Scenario', group: scenario }]
    const group = getGroup(handler)
    return group === undefined ? [] : [{ id, layer: null, group }]
  })
}
