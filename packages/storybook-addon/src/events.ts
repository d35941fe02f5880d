/** Names that preview and manager share. */

export const addonId = '@understudy/storybook-addon'
export const panelId: string = `${addonId}/panel`
export const toolId: string = `${addonId}/network`
export const scenarioToolId: string = `${addonId}/scenario`

/** The parameter of the address, of the manager and of the preview, that holds what is switched and forced. */
export const settingsParameter = 'understudy'

/**
 * Settings as the parameter's value. Storybook's manager writes values as they are, and its previews get them encoded:
 * what is in here must be no text of an address.
 */
export function toSettingsParameter(settings: string): string | null {
  return settings === '' ? null : encodeURIComponent(settings)
}

/** Reads what {@link toSettingsParameter} made, whether it was decoded on its way or not. */
export function readSettingsParameter(value: unknown): string {
  if (typeof value !== 'string') return ''
  try {
    return value.includes('=') ? value : decodeURIComponent(value)
  } catch {
    return ''
  }
}

/** The global that holds the network condition. */
export const networkGlobal = 'understudyNetwork'

/** The global that holds the scenario that the toolbar activates; `''`: none. */
export const scenarioGlobal = 'understudyScenario'

/** What all requests of all stories meet. */
export const networkConditions = ['none', 'slow', 'offline', 'errors'] as const
export type NetworkCondition = (typeof networkConditions)[number]

/** The file of a built Storybook that says where its handlers were written, relative to the Storybook. */
export const builtPlacesFile = 'understudy-places.json'

/** Places in sources (`'src/mocks/handlers.ts:4:8'`), by the files of the build and the positions in them (`'1:2345'`). */
export type BuiltPlaces = Record<string, Record<string, string>>
