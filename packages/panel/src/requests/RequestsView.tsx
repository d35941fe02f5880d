import type { LoggedConnection, LoggedRequest, SearchMatch } from '@understudy/engine/inspect'
import * as React from 'react'

import { ConnectionLine } from '../connections/ConnectionLine.tsx'
import { textOfConnection } from '../connections/filter-connections.ts'
import { createLazy } from '../create-lazy.tsx'
import { formatCount } from '../format.ts'
import { matchesToShow, outcomeFilters, textOfRequest, type OutcomeFilter } from '../log/filter-requests.ts'
import { HarButton } from '../log/HarButton.tsx'
import { usePanel } from '../panel-context.ts'
import type { PanelState } from '../panel-host.ts'
import { RecordBar } from '../recording/RecordBar.tsx'
import { toDropTarget } from '../recording/to-drop-target.ts'
import { useReview } from '../recording/use-review.ts'
import { useKept } from '../use-kept.ts'
import { countLines, createLogItems, isDivider, type LogItem } from './log-items.ts'
import { RequestDetail } from './RequestDetail.tsx'
import { RequestLine } from './RequestLine.tsx'
import { useSearch } from './use-search.ts'
import { WindowedList } from './WindowedList.tsx'

const ConnectionDetail = createLazy(
  async () => (await import('../connections/ConnectionDetail.tsx')).ConnectionDetail,
  'the connection',
)

interface RequestsViewProps {
  state: PanelState
  /** Without cleared ones. */
  requests: readonly LoggedRequest[]
  /** Without cleared ones. */
  connections: readonly LoggedConnection[]
  onClear: () => void
}

/** Shows the log of requests and WebSocket connections, the newest first, and the details of one of them. */
export function RequestsView({ state, requests, connections, onClear }: RequestsViewProps): React.ReactElement {
  const { kit } = usePanel()
  const [text, setText] = useKept('filter of requests', '')
  const [outcome, setOutcome] = useKept<OutcomeFilter>('outcome of requests', 'all')
  const [selectedId, setSelectedId] = useKept<string | null>('selected request', null)
  const { earlier = noPages } = state
  const { url } = state.info
  const all = [{ requests, connections }, ...earlier]
  // Bodies arrive while the requests stay the same, so each state starts a search of the incomplete ones.
  const searched = React.useMemo(
    () =>
      [{ requests, connections }, ...(state.earlier ?? [])].flatMap((page) => [...page.requests, ...page.connections]),
    [requests, connections, state],
  )
  const { found, isSearching } = useSearch(searched, text)
  const shown = React.useMemo(
    () => createLogItems({ url, requests, connections, earlier }, outcome, text, found),
    [url, requests, connections, earlier, outcome, text, found],
  )
  const matchesOf = (item: Exclude<LogItem, { divider: string }>): readonly SearchMatch[] =>
    matchesToShow(isRequest(item) ? textOfRequest(item) : textOfConnection(item), text, found.get(item.id))
  const hasHints = found.size > 0 && shown.some((item) => !isDivider(item) && matchesOf(item).length > 0)
  const selected = findItem(
    all.map((page) => page.requests),
    selectedId,
  )
  const selectedConnection = findItem(
    all.map((page) => page.connections),
    selectedId,
  )
  const total = all.reduce((sum, page) => sum + page.requests.length + page.connections.length, 0)
  const close = (): void => setSelectedId(null)
  const isFiltered = outcome !== 'all' || text.trim() !== ''
  const review = useReview(state)
  const recorded = all.flatMap((page) => page.requests.filter(({ isRecorded }) => isRecorded))
  return (
    <div
      className="us-view"
      data-detail={(selected ?? selectedConnection) ? '' : undefined}
      {...toDropTarget(review.open)}
    >
      {review.dialog}
      <div className="us-toolbars">
        {total > 0 && (
          <div className="us-toolbar">
            <kit.TextField
              ariaLabel="Filter requests"
              placeholder="Search: users -GET 404"
              value={text}
              onChange={setText}
            />
            <kit.Select
              ariaLabel="Outcome"
              value={outcome}
              options={outcomeFilters}
              onChange={(value) => setOutcome(value as OutcomeFilter)}
            />
            <span className="us-toolbar-note" data-hint={!isFiltered || undefined}>
              {isFiltered ? `${countLines(shown)} of ${total}` : formatCount(total, 'request')}
            </span>
            <kit.Button isPlain ariaLabel="Clear the list of requests" onClick={onClear}>
              Clear
            </kit.Button>
            <PreserveLog isOn={state.info.preservesLog} />
          </div>
        )}
        <RecordBar state={state} recorded={recorded} onReview={review.open}>
          {total > 0 && <HarButton requests={shown.filter(isRequest)} />}
        </RecordBar>
      </div>
      {total === 0 ? (
        <kit.EmptyState title="No requests yet">
          <p>Requests and WebSocket connections of the app appear here, with the handlers that answered.</p>
          <p>Bodies are kept only while the panel is open.</p>
          <PreserveLog isOn={state.info.preservesLog} />
        </kit.EmptyState>
      ) : (
        <div className="us-split">
          {shown.length === 0 ? (
            <kit.EmptyState title={isSearching ? 'Searching headers and bodies' : 'No request matches the filter'}>
              <kit.Button
                onClick={() => {
                  setText('')
                  setOutcome('all')
                }}
              >
                Clear the filter
              </kit.Button>
            </kit.EmptyState>
          ) : (
            <WindowedList
              ariaLabel="Requests"
              items={shown}
              selectedId={selected?.id ?? selectedConnection?.id ?? null}
              onSelect={({ id }) => setSelectedId(id)}
              onEscape={close}
              isDivider={isDivider}
              hasTwoLines={hasHints}
            >
              {(item) =>
                isDivider(item) ? (
                  <div className="us-request us-divider">{item.divider}</div>
                ) : isRequest(item) ? (
                  <RequestLine request={item} pageUrl={state.info.url} matches={matchesOf(item)} />
                ) : (
                  <ConnectionLine connection={item} pageUrl={state.info.url} matches={matchesOf(item)} />
                )
              }
            </WindowedList>
          )}
          {selected && <RequestDetail key={selected.id} request={selected} state={state} onClose={close} />}
          {selectedConnection && (
            <ConnectionDetail
              key={selectedConnection.id}
              connection={selectedConnection}
              state={state}
              onClose={close}
            />
          )}
        </div>
      )}
    </div>
  )
}

const noPages = [] as const

function isRequest(item: LogItem): item is LoggedRequest {
  return 'outcome' in item
}

function findItem<Item extends { readonly id: string }>(
  lists: readonly (readonly Item[])[],
  id: string | null,
): Item | undefined {
  if (id === null) return undefined
  for (const list of lists) {
    const found = list.find((item) => item.id === id)
    if (found) return found
  }
  return undefined
}

/** @param isOn missing if the network cannot keep its log */
function PreserveLog({ isOn }: { isOn: boolean | undefined }): React.ReactElement | null {
  const { host, kit, fail } = usePanel()
  if (isOn === undefined || !host.preserveLog) return null
  return (
    <span className="us-preserve">
      <kit.Switch
        ariaLabel="Preserve log"
        isOn={isOn}
        onChange={(isNowOn) => void host.preserveLog?.(isNowOn).catch(fail)}
      />
      <span aria-hidden="true">Preserve log</span>
    </span>
  )
}
