import type { RemoteInspection } from '@understudy/engine/inspect'
import {
  formatExcerpt,
  LocatedHost,
  Panel,
  type FirstHandlers,
  type PanelHost,
  type SourcePlace,
} from '@understudy/panel'
import * as React from 'react'
import { EmptyTabContent } from 'storybook/internal/components'
import { FORCE_REMOUNT } from 'storybook/internal/core-events'
import { addons, useStorybookApi, useStorybookState } from 'storybook/manager-api'

import { panelId, readSettingsParameter, settingsParameter, toSettingsParameter } from '../events.ts'
import { locateSources, readSource } from '../sources/locate-sources.ts'
import { hideTools } from './hide-tools.ts'
import { useStoryNetwork } from './inspection.ts'
import { kit } from './kit.tsx'
import { locateInBuild } from './locate-in-build.ts'
import { usePanelTheme } from './panel-theme.ts'
import { tellPreviews } from './preview-windows.ts'
import { saveForProject, useCanSave } from './save-for-project.ts'

const firstHandlers: FirstHandlers = {
  text: 'Handlers answer a story’s requests. Add them to its parameters. This panel shows the handlers and the requests.',
  code: `import { http, HttpResponse } from '@understudy/engine'

export const SignedIn = {
  parameters: {
    handlers: [http.get('/api/user', () => HttpResponse.json({ name: 'Ada' }))],
  },
}`,
}

/** The content of the addon's panel: the handlers and the requests of the selected story. */
export function HandlersPanel(): React.ReactElement {
  const api = useStorybookApi()
  const theme = usePanelTheme()
  const network = useStoryNetwork()
  const canSave = useCanSave()
  const [settings, setSettings] = React.useState(() => readSettingsParameter(api.getQueryParam(settingsParameter)))
  useWrittenSettings(api, settings)
  const host = React.useMemo((): PanelHost | undefined => {
    if (!network) return undefined
    const shown = hideTools(network)
    // Storybook 9 does not have this function.
    const { openInEditor } = api as Partial<typeof api>
    const open = openInEditor && ((place: SourcePlace) => void openInEditor(place))
    const located: PanelHost = createHost(shown, open, canSave)
    // The toolbar switches scenarios, for all stories.
    located.scenario = undefined
    located.remount = () => remountStory(network)
    return located
  }, [network, api, canSave])

  if (!host) return <NoNetwork />
  return (
    <Panel
      key={network?.id}
      host={host}
      kit={kit}
      theme={theme}
      settings={settings}
      firstHandlers={firstHandlers}
      onSettingsChange={(changed) => {
        setSettings(changed)
        tellPreviews('settings', changed)
        // Put the settings into the URL, so that a copied link shows the same to another person with the panel open.
        api.applyQueryParams(toParameters(changed))
      }}
    />
  )
}

/** Storybook 9 forgets parameters that are `undefined`. It removes those that are `null` only from the URL, and writes them again later. */
function toParameters(settings: string): Record<string, string | undefined> {
  return { [settingsParameter]: toSettingsParameter(settings), addonPanel: settings ? panelId : undefined }
}

/**
 * Writes the settings into the URL again if Storybook has removed them: an event of a preview, such as changed args, makes it write the
 * parameters of the manager's last rendering.
 */
function useWrittenSettings(api: ReturnType<typeof useStorybookApi>, settings: string): void {
  // Each state of Storybook renders the panel, also that of a navigation.
  React.useEffect(() => {
    const written = readSettingsParameter(new URLSearchParams(location.search).get(settingsParameter))
    if (written !== settings) api.applyQueryParams(toParameters(settings), { replace: true })
  })
}

/** Explains why there is nothing to show: the page of the story has not reported its handlers. */
function NoNetwork(): React.ReactElement {
  const { refId, refs } = useStorybookState()
  const composed = refId === undefined ? undefined : refs[refId]
  return composed ? (
    <EmptyTabContent
      title={`“${composed.title ?? refId}” has not reported its handlers`}
      description={
        'This story belongs to a composed Storybook, which has its own handlers. To show them here, add ' +
        `@understudy/storybook-addon to that Storybook, with this option: composedBy: ['${location.origin}'].`
      }
    />
  ) : (
    <EmptyTabContent title="Waiting for the story" description="Its handlers appear when the story is rendered." />
  )
}

/** Renders the story of a page again. Composed Storybooks listen to the same event. */
function remountStory(network: RemoteInspection): void {
  const storyId = new URL(network.getState().info.url ?? 'about:blank').searchParams.get('id')
  addons.getChannel().emit(FORCE_REMOUNT, { storyId })
}

async function readExcerpt(place: SourcePlace): Promise<string | null> {
  const found = await readSource(place)
  // Wrong lines would be misleading.
  return found?.isExact ? formatExcerpt(found.text, found) : null
}

/** Shows where handlers were written, for stories of this Storybook. Only a dev server can open files in an editor. */
function createHost(
  network: RemoteInspection,
  open: ((place: SourcePlace) => void) | undefined,
  canSave: boolean,
): PanelHost {
  const { CONFIG_TYPE: type } = globalThis as { CONFIG_TYPE?: string }
  const { url } = network.getState().info
  if (url === null || new URL(url).origin !== location.origin) return network
  if (type !== 'DEVELOPMENT') return new LocatedHost(network, locateInBuild, undefined)
  const saver = canSave ? saveForProject(() => host.getState()) : undefined
  const host: LocatedHost = new LocatedHost(network, locateSources, open, saver, readExcerpt)
  return host
}
