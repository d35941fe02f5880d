import type { InspectionConnection, RemoteInspection } from '@understudy/engine/inspect'
import * as React from 'react'

import { EmptyState } from '../kit/EmptyState.tsx'
import { Select } from '../kit/Select.tsx'
import { Panel } from '../Panel.tsx'
import { panelStyle } from '../style/panel-style.ts'
import { locate, openInEditor } from './dev-server.ts'
import { LocatedHost } from './located-host.ts'
import { pageFacts } from './page-facts.ts'
import { pageStyle } from './page-style.ts'
import { useHash } from './use-hash.ts'

/** The whole page: which page of the app is looked at, and the panel on it. */
export function PanelPage({ connection }: { connection: InspectionConnection }): React.ReactElement {
  const networks = React.useSyncExternalStore(
    (listener) => connection.subscribe(listener),
    () => connection.getNetworks(),
  )
  const [chosenId, setChosenId] = React.useState<string | null>(null)
  const [settings, setSettings] = useHash()
  // The page that was opened last is the one that people work on.
  const network = networks.find(({ id }) => id === chosenId) ?? networks.at(-1)
  const host = React.useMemo(() => network && new LocatedHost(network, locate, openInEditor), [network])

  return (
    <main className="us-page">
      <style>{pageStyle}</style>
      <header className="us-page-bar us-panel">
        <style>{panelStyle}</style>
        <h1 className="us-page-title">Understudy</h1>
        {networks.length > 1 && network && (
          <Select
            ariaLabel="Page of the app"
            value={network.id}
            options={networks.map((each) => ({ value: each.id, label: nameOf(each) }))}
            onChange={setChosenId}
          />
        )}
        {networks.length === 1 && network && <PageName network={network} />}
      </header>
      <div className="us-page-panel">
        {host ? (
          <Panel host={host} settings={settings} onSettingsChange={setSettings} />
        ) : (
          <div className="us-panel">
            <EmptyState title="No page of the app is open">
              <p>The panel shows what the app’s page does: open it in another tab or window of this browser.</p>
              <p>
                <a href={pageFacts.base} target="_blank" rel="noreferrer">
                  Open the app
                </a>
              </p>
            </EmptyState>
          </div>
        )}
      </div>
    </main>
  )
}

function PageName({ network }: { network: RemoteInspection }): React.ReactElement {
  const subscribe = React.useCallback((listener: () => void) => network.subscribe(listener), [network])
  const { info } = React.useSyncExternalStore(subscribe, () => network.getState())
  return (
    <span className="us-page-name">
      {info.title} <span className="us-muted">{info.url}</span>
    </span>
  )
}

function nameOf(network: RemoteInspection): string {
  const { title, url } = network.getState().info
  const path = url !== null && URL.canParse(url) ? new URL(url).pathname : ''
  return path ? `${title} (${path})` : title
}
