import * as React from 'react'

import { formatTime, formatUrl } from '../format.ts'
import { usePanel } from '../panel-context.ts'
import type { PanelState } from '../panel-host.ts'
import { useRovingRows } from '../roving-rows.ts'
import type { Miss } from './group-misses.ts'
import { NearestList } from './NearestList.tsx'

/** How many are shown at once; a click shows as many more. */
const batch = 50

/** Requests that no handler matched: what came near, and a handler to paste. */
export function MissesView({ misses, state }: { misses: readonly Miss[]; state: PanelState }): React.ReactElement {
  const { kit } = usePanel()
  const [limit, setLimit] = React.useState(batch)
  const rows = useRovingRows()
  if (misses.length === 0) {
    return (
      <kit.EmptyState title="Nothing was missed">
        <p>
          A request that no handler matches appears here, with the handlers that came nearest, what differed, and a
          handler to paste.
        </p>
      </kit.EmptyState>
    )
  }
  return (
    <div className="us-view">
      <div className="us-scroll" ref={rows.ref} onKeyDown={rows.onKeyDown} onFocus={rows.onFocus}>
        <ul className="us-list" role="list" aria-label="Requests that no handler matched">
          {misses.slice(0, limit).map(({ request, count }) => {
            const { origin, path } = formatUrl(request.url, state.info.url)
            return (
              <li key={request.id} className="us-miss" data-us-row={request.id}>
                <h2 className="us-miss-title">
                  <span className="us-method">{request.method}</span>
                  <span className="us-path" title={request.url}>
                    {request.name !== null && <strong>{request.name} </strong>}
                    {origin && <span className="us-muted">{origin}</span>}
                    {path}
                  </span>
                  {count > 1 && <span className="us-count">{count}×</span>}
                  <time className="us-muted">{formatTime(request.startedAt)}</time>
                </h2>
                <NearestList request={request} state={state} />
              </li>
            )
          })}
        </ul>
        {misses.length > limit && (
          <p className="us-more">
            <kit.Button onClick={() => setLimit(limit + batch)}>{`${misses.length - limit} more`}</kit.Button>
          </p>
        )}
      </div>
    </div>
  )
}
