import { getGroup } from '../core/handlers/handler-groups.ts'
import type { Network } from '../core/network/network.ts'
import type { HandlerLabel } from './inspection-messages.ts'

/** The groups in which the handlers module exports handlers. */
export function labelsOfGroups({ layers }: Network): HandlerLabel[] {
  return layers.entries().flatMap(({ id, handler }) => {
    const group = getGroup(handler)
    return group === undefined ? [] : [{ id, layer: null, group }]
  })
}
