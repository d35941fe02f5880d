/** The names that the preview and the manager share. */

export const addonId = '@understudy/storybook-addon'
export const panelId: string = `${addonId}/panel`
export const toolId: string = `${addonId}/network`
export const scenarioToolId: string = `${addonId}/scenario`

/** The URL parameter of the manager and the preview with disabled handlers and overrides. */
export const settingsParameter = 'understudy'

/**
 * Converts settings into the parameter's value. Storybook's manager decodes the values in its URL, and writes them again as they are, for
 * example when a global changes in the toolbar. So the value is the same when it is decoded: `~` stands for the `%` of an encoded
 * character.
 */
export function toSettingsParameter(settings: string): string | undefined {
  return settings === '' ? undefined : encodeURIComponent(settings).replaceAll('~', '%7E').replaceAll('%', '~')
}

/** Parses the value of {@link toSettingsParameter}, or settings that a person wrote into the URL, encoded or not. */
export function readSettingsParameter(value: unknown): string {
  if (typeof value !== 'string') return ''
  try {
    return value.includes('=') ? value : decodeURIComponent(value.includes('%') ? value : value.replaceAll('~', '%'))
  } catch {
    return ''
  }
}

/** The global with the network condition. */
export const networkGlobal = 'understudyNetwork'

/** The global with the scenario of the toolbar; `''`: none. */
export const scenarioGlobal = 'understudyScenario'

/** The network conditions, which apply to all requests of all stories. */
export const networkConditions = ['none', 'slow', 'offline', 'errors'] as const
export type NetworkCondition = (typeof networkConditions)[number]

/** The file of a built Storybook that says where its handlers were written, relative to the Storybook. */
export const builtPlacesFile = 'understudy-places.json'

/** Places in sources (`'src/mocks/handlers.ts:4:8'`), by the files of the build and the positions in them (`'1:2345'`). */
export type BuiltPlaces = Record<string, Record<string, string>>
