import type { InspectionConnection, RemoteInspection } from '@understudy/engine/inspect'
import * as React from 'react'

import { EmptyState } from '../kit/EmptyState.tsx'
import { LocatedHost } from '../located-host.ts'
import { Panel } from '../Panel.tsx'
import { panelStyle } from '../style/panel-style.ts'
import { locate, openInEditor, readExcerpt, saver } from './dev-server.ts'
import { KeepSettings } from './KeepSettings.tsx'
import { NetworkChooser } from './NetworkChooser.tsx'
import { pageFacts } from './page-facts.ts'
import { pageStyle } from './page-style.ts'
import { useHash } from './use-hash.ts'

/** The id of the page that shows the panel in a frame. */
const surroundingPage = readSurroundingPage()

function readSurroundingPage(): string | null {
  if (parent === window) return null
  const page = (parent as unknown as Record<symbol, { shared?: { id: string } } | undefined>)[Symbol.for('understudy')]
  return page?.shared?.id ?? null
}

/** The whole page: the choice of the network, and its panel. */
export function PanelPage({ connection }: { connection: InspectionConnection }): React.ReactElement {
  const networks = React.useSyncExternalStore(
    (listener) => connection.subscribe(listener),
    () => connection.getNetworks(),
  )
  const [chosenId, setChosenId] = React.useState(surroundingPage)
  const [isServerChosen, setServerChosen] = React.useState(false)
  const [settings, setSettings] = useHash()
  const pages = networks.filter((network) => !isServer(network))
  // Show the page that was opened last, because the developer probably works on it.
  const page = pages.find(({ id }) => id === chosenId) ?? pages.at(-1)
  const server = networks.findLast(isServer)
  const isServerShown = server !== undefined && isServerChosen
  const network = isServerShown ? server : page
  // The dock already has a title, and the developer sees the page.
  const isPlain = surroundingPage !== null && !server && pages.length < 2
  const host = React.useMemo(
    () =>
      network &&
      new LocatedHost(
        network,
        locate,
        pageFacts.editor ? openInEditor : undefined,
        pageFacts.save === 'yes' ? saver : undefined,
        readExcerpt,
      ),
    [network],
  )
  // While the app reloads, it has no page. The panel stays mounted, with its tab, filter and selection.
  const [shownHost, setShownHost] = React.useState(host)
  if (host && host !== shownHost) setShownHost(host)
  const panelHost = host ?? shownHost

  return (
    <main className="us-page">
      <style>{pageStyle}</style>
      <header className="us-page-bar us-panel" hidden={isPlain}>
        <style>{panelStyle}</style>
        {surroundingPage === null && <h1 className="us-page-title">Understudy</h1>}
        <NetworkChooser
          pages={pages}
          page={page}
          server={server}
          isServerShown={isServerShown}
          onChoosePage={setChosenId}
          onChooseServer={setServerChosen}
        />
      </header>
      {server && !isServerShown && <KeepSettings host={server} settings={settings} onChange={setSettings} />}
      <div className="us-page-panel">
        {panelHost && (
          <div className="us-page-panel" hidden={!host}>
            <Panel host={panelHost} settings={settings} onSettingsChange={setSettings} />
          </div>
        )}
        {!host && (
          <div className="us-panel">
            <EmptyState title="No page of the app is open">
              <p>Open it in another tab or window of this browser to see its requests.</p>
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

function isServer(network: RemoteInspection): boolean {
  return network.getState().info.isServer === true
}
