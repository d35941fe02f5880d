import type { RemoteInspection } from '@understudy/engine/inspect'
import * as React from 'react'

import { formatCount } from '../format.ts'
import { Select } from '../kit/Select.tsx'
import { isOverridden } from '../overrides/is-overridden.ts'

interface NetworkChooserProps {
  /** The app's pages, in the order in which they were opened. */
  pages: readonly RemoteInspection[]
  /** The page that is shown, or that is shown if the server is deselected. */
  page: RemoteInspection | undefined
  /** The process that renders pages, if there is one. */
  server: RemoteInspection | undefined
  isServerShown: boolean
  onChoosePage: (id: string) => void
  onChooseServer: (isShown: boolean) => void
}

/** Chooses the shown network: one of the app's pages, or the server that renders them. */
export function NetworkChooser(props: NetworkChooserProps): React.ReactElement {
  const { pages, page, server, isServerShown, onChoosePage, onChooseServer } = props
  return (
    <>
      {server && (
        <div className="us-page-networks" role="group" aria-label="Requests of">
          <Choice isChosen={!isServerShown} network={page} onChoose={() => onChooseServer(false)}>
            Browser
          </Choice>
          <Choice isChosen={isServerShown} network={server} onChoose={() => onChooseServer(true)}>
            Dev server
          </Choice>
        </div>
      )}
      {isServerShown && <span className="us-page-name us-muted">Requests from the dev server while it renders</span>}
      {!isServerShown && page && pages.length > 1 && (
        <PageSelect pages={pages} page={page} onChoosePage={onChoosePage} />
      )}
      {!isServerShown && page && pages.length === 1 && <PageName page={page} />}
    </>
  )
}

interface ChoiceProps {
  isChosen: boolean
  network: RemoteInspection | undefined
  onChoose: () => void
  children: string
}

function Choice({ isChosen, network, onChoose, children }: ChoiceProps): React.ReactElement {
  return (
    <button type="button" className="us-page-choice" aria-pressed={isChosen} onClick={onChoose}>
      {children}
      {network && !isChosen && <OverriddenMark network={network} />}
    </button>
  )
}

/** Marks a network that is not shown and has overrides. */
function OverriddenMark({ network }: { network: RemoteInspection }): React.ReactElement | null {
  const count = useNetwork(network).handlers.filter((handler) => isOverridden(handler)).length
  if (count === 0) return null
  return (
    <span className="us-count" data-tone="warning" title={`${formatCount(count, 'handler')} overridden`}>
      {count}
    </span>
  )
}

function PageName({ page }: { page: RemoteInspection }): React.ReactElement {
  const { info } = useNetwork(page)
  return (
    <span className="us-page-name">
      {info.title} <span className="us-muted">{info.url}</span>
    </span>
  )
}

function useNetwork(network: RemoteInspection): ReturnType<RemoteInspection['getState']> {
  const subscribe = React.useCallback((listener: () => void) => network.subscribe(listener), [network])
  return React.useSyncExternalStore(subscribe, () => network.getState())
}

interface PageSelectProps {
  pages: readonly RemoteInspection[]
  page: RemoteInspection
  onChoosePage: (id: string) => void
}

function PageSelect({ pages, page, onChoosePage }: PageSelectProps): React.ReactElement {
  // Titles and paths change while pages are open.
  const subscribe = React.useCallback(
    (listener: () => void) => {
      const ends = pages.map((each) => each.subscribe(listener))
      return () => {
        for (const end of ends) end()
      }
    },
    [pages],
  )
  const names = React.useSyncExternalStore(subscribe, () => JSON.stringify(pages.map(nameOf)))
  const labels = numberEqual(JSON.parse(names) as readonly string[])
  return (
    <Select
      ariaLabel="Page of the app"
      value={page.id}
      options={pages.map(({ id }, index) => ({ value: id, label: labels[index] ?? id }))}
      onChange={onChoosePage}
    />
  )
}

/** Adds a number to names that occur several times. */
function numberEqual(names: readonly string[]): readonly string[] {
  return names.map((name, index) => {
    if (names.filter((other) => other === name).length === 1) return name
    return `${name} #${names.slice(0, index + 1).filter((other) => other === name).length}`
  })
}

function nameOf(network: RemoteInspection): string {
  const { title, url } = network.getState().info
  if (url === null || !URL.canParse(url)) return title
  const { pathname, search } = new URL(url)
  return title === pathname ? pathname + search : `${title} (${pathname}${search})`
}
