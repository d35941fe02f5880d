import { Panel, type PanelHost, type SourcePlace } from '@understudy/panel'
import * as React from 'react'
import { EmptyTabContent, Link } from 'storybook/internal/components'
import { useStorybookApi } from 'storybook/manager-api'

import { panelId } from '../events.ts'
import { useStoryNetwork } from './inspection.ts'
import { kit } from './kit.tsx'
import { usePanelTheme } from './panel-theme.ts'

const settingsParameter = 'understudy'

/** The content of the addon's panel: what the story that is selected is answered by. */
export function HandlersPanel(): React.ReactElement {
  const api = useStorybookApi()
  const theme = usePanelTheme()
  const network = useStoryNetwork()
  const [settings, setSettings] = React.useState(() => api.getQueryParam(settingsParameter) ?? '')
  const host = React.useMemo(
    (): PanelHost | undefined =>
      network && {
        ...network,
        openInEditor(place) {
          void api.openInEditor({ file: toFile(place), line: place.line, column: place.column })
        },
      },
    [network, api],
  )

  if (!host) {
    return (
      <EmptyTabContent
        title="No requests are mocked here yet"
        description="Give a story handlers, by its parameters, and this panel shows what they answer."
        footer={
          <Link href="https://www.npmjs.com/package/@understudy/storybook-addon" target="_blank" withArrow>
            parameters: {'{ handlers: [http.get(path, resolver)] }'}
          </Link>
        }
      />
    )
  }
  return (
    <Panel
      key={network?.id}
      host={host}
      kit={kit}
      theme={theme}
      settings={settings}
      onSettingsChange={(changed) => {
        setSettings(changed)
        // A link to what is seen now brings somebody else here: the panel applies it where it is open.
        api.applyQueryParams({ [settingsParameter]: changed || null, addonPanel: changed ? panelId : null })
      }}
    />
  )
}

/** A file of the project: the dev server shows it by an address. */
function toFile({ file }: SourcePlace): string {
  const { pathname } = new URL(file, location.href)
  return pathname.startsWith('/@fs/') ? pathname.slice('/@fs'.length) : decodeURIComponent(pathname.slice(1))
}
