import type { HandlerLabel } from '@understudy/engine/inspect'

import type { PageMocking } from './mocking-state.ts'
import { liveRuns } from './story-run.ts'

/** Names the layer of each handler: runtime, story, component, preview, project, or the toolbar's. */
export function labelHandlers({ network }: PageMocking): HandlerLabel[] {
  const runs = [...liveRuns()]
  return network.layers.entries().flatMap(({ id, layer, handler }): HandlerLabel[] => {
    if (layer === 'initial') return [{ id, layer: 'project', group: null }]
    if (layer === 'runtime') return [{ id, layer: 'toolbar', group: null }]
    if (runs.some(({ runtime }) => runtime.includes(handler))) return [{ id, layer: 'runtime', group: null }]
    const scenario = network.scenarios?.nameOf(handler)
    if (scenario !== undefined) return [{ id, layer: 'scenario', group: scenario }]
    const group = runs.flatMap(({ handlers }) => handlers.groups).find(({ handlers }) => handlers.includes(handler))
    return group ? [{ id, layer: group.level, group: group.name }] : []
  })
}
