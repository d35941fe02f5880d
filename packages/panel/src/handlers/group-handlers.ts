import type { HandlerLabel, InspectedHandler } from '@understudy/engine/inspect'

import type { PanelState } from '../panel-host.ts'

/** Consecutive handlers of one layer and group. */
export interface HandlerSection {
  readonly key: string
  readonly layer: string
  readonly group: string | null
  readonly handlers: readonly InspectedHandler[]
}

/** The names of the engine's layers, if the host has no other names. */
const layerNames: Readonly<Record<InspectedHandler['layer'], string>> = {
  runtime: 'Added at run time',
  scoped: 'Scoped',
  initial: 'Handlers module',
}

/** Who overrides a handler of an earlier layer, if the host has no name for the layer. */
const overriders: Readonly<Record<InspectedHandler['layer'], string>> = {
  runtime: 'a handler added at run time',
  scoped: 'a handler of a later scope',
  initial: 'an earlier handler',
}

/**
 * Names the layer of a handler that answers instead of one of another layer: `'the story'`. Such an override is
 * intended: later layers take precedence.
 *
 * @returns nothing for two handlers of one layer, of which the second one never answers
 */
export function describeOverrider(
  handler: InspectedHandler,
  shadow: InspectedHandler,
  { labels }: PanelState['info'],
): string | undefined {
  const labelOf = ({ id }: InspectedHandler): HandlerLabel | undefined => labels.find((label) => label.id === id)
  const nameOf = (each: InspectedHandler): string | undefined => labelOf(each)?.layer ?? undefined
  const name = nameOf(shadow)
  if (shadow.layer === handler.layer && name === nameOf(handler)) return undefined
  if (name === 'Scenario') return `the scenario ${labelOf(shadow)?.group}`
  return name === undefined || name === 'runtime' ? overriders[name ?? shadow.layer] : `the ${name}`
}

/** Handlers in their sections, in the order in which they answer. */
export function groupHandlers(handlers: readonly InspectedHandler[], { labels }: PanelState['info']): HandlerSection[] {
  const labelOf = new Map(labels.map((label) => [label.id, label]))
  const sections: (HandlerSection & { handlers: InspectedHandler[] })[] = []
  for (const handler of handlers) {
    const label = labelOf.get(handler.id)
    const layer = label?.layer ?? layerNames[handler.layer]
    const group = label?.group ?? null
    const last = sections.at(-1)
    if (last?.layer === layer && last.group === group) last.handlers.push(handler)
    else sections.push({ key: `${sections.length} ${layer} ${group}`, layer, group, handlers: [handler] })
  }
  return sections
}
