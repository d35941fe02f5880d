import type { LoggedRequest } from '@understudy/engine/inspect'
import * as React from 'react'

import { formatCount } from '../format.ts'
import { usePanel } from '../panel-context.ts'
import type { PanelState } from '../panel-host.ts'
import { filterRequests, outcomeFilters, type OutcomeFilter } from './filter-requests.ts'
import { RequestDetail } from './RequestDetail.tsx'
import { RequestLine } from './RequestLine.tsx'
import { WindowedList } from './WindowedList.tsx'

interface RequestsViewProps {
  state: PanelState
  /** Without those that were cleared. */
  requests: readonly LoggedRequest[]
  onClear: () => void
}

/** The log of requests, the newest first, and one of them at length. */
export function RequestsView({ state, requests, onClear }: RequestsViewProps): React.ReactElement {
  const { kit } = usePanel()
  const [text, setText] = React.useState('')
  const [outcome, setOutcome] = React.useState<OutcomeFilter>('all')
  const [selectedId, setSelectedId] = React.useState<string | null>(null)
  const shown = React.useMemo(() => filterRequests(requests, outcome, text), [requests, outcome, text])
  const selected = requests.find(({ id }) => id === selectedId)
  const isFiltered = outcome !== 'all' || text.trim() !== ''

  if (requests.length === 0) {
    return (
      <kit.EmptyState title="No requests yet">
        <p>Requests of the app appear here: what became of each, who answered, and what was said.</p>
        <p>Those that were made before the panel was open come without their bodies.</p>
      </kit.EmptyState>
    )
  }
  return (
    <div className="us-view" data-detail={selected ? '' : undefined}>
      <div className="us-toolbar">
        <kit.TextField
          ariaLabel="Filter requests"
          placeholder="Filter: users -GET 404"
          value={text}
          onChange={setText}
        />
        <kit.Select
          ariaLabel="Outcome"
          value={outcome}
          options={outcomeFilters}
          onChange={(value) => setOutcome(value as OutcomeFilter)}
        />
        <span className="us-toolbar-note">
          {isFiltered ? `${shown.length} of ${requests.length}` : formatCount(requests.length, 'request')}
        </span>
        <kit.Button isPlain ariaLabel="Clear the list of requests" onClick={onClear}>
          Clear
        </kit.Button>
      </div>
      <div className="us-split">
        {shown.length === 0 ? (
          <kit.EmptyState title="No request fits the filter">
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
            selectedId={selected?.id ?? null}
            onSelect={({ id }) => setSelectedId(id)}
          >
            {(request) => <RequestLine request={request} pageUrl={state.info.url} />}
          </WindowedList>
        )}
        {selected && (
          <RequestDetail key={selected.id} request={selected} state={state} onClose={() => setSelectedId(null)} />
        )}
      </div>
    </div>
  )
}
