import type { RemoteInspection } from '@understudy/engine/inspect'
import { LocatedHost, Panel, type FirstHandlers, type PanelHost } from '@understudy/panel'
import * as React from 'react'
import { EmptyTabContent } from 'storybook/internal/components'
import { useStorybookApi, useStorybookState } from 'storybook/manager-api'

import { panelId, readSettingsParameter, settingsParameter, toSettingsParameter } from '../events.ts'
import { useStoryNetwork } from './inspection.ts'
import { kit } from './kit.tsx'
import { locateSources } from './locate-sources.ts'
import { usePanelTheme } from './panel-theme.ts'
import { tellPreviews } from './preview-windows.ts'

const firstHandlers: FirstHandlers = {
  text: 'Handlers answer what a story requests. Give it some by its parameters, and this panel shows what they answer.',
  code: `import { http, HttpResponse } from '@understudy/engine'

export const SignedIn = {
  parameters: {
    handlers: [http.get('/api/user', () => HttpResponse.json({ name: 'Ada' }))],
  },
}`,
}

/** The content of the addon's panel: what the story that is selected is answered by. */
export function HandlersPanel(): React.ReactElement {
  const api = useStorybookApi()
  const theme = usePanelTheme()
  const network = useStoryNetwork()
  const [settings, setSettings] = React.useState(() => readSettingsParameter(api.getQueryParam(settingsParameter)))
  const host = React.useMemo((): PanelHost | undefined => {
    if (!network) return undefined
    const located: PanelHost = isOfDevServer(network)
      ? new LocatedHost(network, locateSources, (place) => void api.openInEditor(place))
      : { ...network }
    // The toolbar switches scenarios, for all stories.
    located.scenario = undefined
    return located
  }, [network, api])

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
        api.applyQueryParams({
          [settingsParameter]: toSettingsParameter(changed),
          addonPanel: changed ? panelId : null,
        })
      }}
    />
  )
}

/** Says why there is nothing to show: the story's page has not reported what answers there. */
function NoNetwork(): React.ReactElement {
  const { refId, refs } = useStorybookState()
  const composed = refId === undefined ? undefined : refs[refId]
  return composed ? (
    <EmptyTabContent
      title={`“${composed.title ?? refId}” has not said what answers there`}
      description={
        'This story belongs to a composed Storybook, with its own handlers. They are shown here when that Storybook has ' +
        `@understudy/storybook-addon and names this one in the addon’s options: composedBy: ['${location.origin}'].`
      }
    />
  ) : (
    <EmptyTabContent title="Waiting for the story" description="Its handlers are shown as soon as it is there." />
  )
}

/** Whether the story's files are those of the project that this Storybook's server runs in. */
function isOfDevServer(network: RemoteInspection): boolean {
  const { CONFIG_TYPE: type } = globalThis as { CONFIG_TYPE?: string }
  const { url } = network.getState().info
  return type === 'DEVELOPMENT' && url !== null && new URL(url).origin === location.origin
}
