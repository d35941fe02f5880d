import type { LoggedRequest } from '@understudy/engine/inspect'
import * as React from 'react'

import { formatCount, formatTime, formatUrl } from '../format.ts'
import { toUnhandledExchange } from '../handler-code/to-exchange.ts'
import { matchesWords, searchedUrl } from '../log/filter-requests.ts'
import { Method } from '../Method.tsx'
import { usePanel } from '../panel-context.ts'
import type { PanelState } from '../panel-host.ts'
import { useRovingRows } from '../roving-rows.ts'
import { useKept } from '../use-kept.ts'
import type { UnhandledGroup } from './group-unhandled.ts'
import { NearestList } from './NearestList.tsx'

/** The number of groups that are shown at first, and that a click adds. */
const batch = 50

interface UnhandledViewProps {
  groups: readonly UnhandledGroup[]
  state: PanelState
  /** The keys of the hidden groups. */
  ignored: ReadonlySet<string>
  onIgnore: (ignored: ReadonlySet<string>) => void
  onClear: () => void
}

/** Shows requests that no handler matched, with the nearest handlers and a handler to paste. */
export function UnhandledView(props: UnhandledViewProps): React.ReactElement {
  const { groups, state, ignored, onIgnore, onClear } = props
  const { kit, host, save, fail } = usePanel()
  const [limit, setLimit] = React.useState(batch)
  const [text, setText] = useKept('filter of unhandled requests', '')
  const rows = useRovingRows()
  const shown = groups.filter(
    ({ key, request: { method, url, name } }) =>
      !ignored.has(key) && matchesWords(`${method} ${searchedUrl(url)} ${name ?? ''}`, text),
  )
  const ignoredCount = groups.filter(({ key }) => ignored.has(key)).length
  function saveHandler(request: LoggedRequest): void {
    host.details(request.id).then((details) => {
      const exchange = toUnhandledExchange(request, details, host)
      if (exchange) save?.([exchange])
    }, fail)
  }

  if (groups.length === 0) {
    return (
      <kit.EmptyState title="No unhandled requests">
        <p>
          A request that no handler matches appears here, with the nearest handlers, what differed, and a handler to
          paste.
        </p>
      </kit.EmptyState>
    )
  }
  return (
    <div className="us-view">
      <div className="us-toolbar">
        <kit.TextField
          ariaLabel="Filter unhandled requests"
          placeholder="Filter: users -GET"
          value={text}
          onChange={setText}
        />
        <span className="us-toolbar-note">
          {formatCount(shown.length, 'request')}
          {ignoredCount > 0 && `, ${ignoredCount} ignored`}
        </span>
        {ignoredCount > 0 && (
          <kit.Button isPlain onClick={() => onIgnore(new Set())}>
            Show ignored
          </kit.Button>
        )}
        <kit.Button isPlain ariaLabel="Clear the list of unhandled requests" onClick={onClear}>
          Clear
        </kit.Button>
      </div>
      <div className="us-scroll" ref={rows.ref} onKeyDown={rows.onKeyDown} onFocus={rows.onFocus}>
        <ul className="us-list" role="list" aria-label="Requests that no handler matched">
          {shown.slice(0, limit).map(({ key, request, count }) => {
            const { origin, path } = formatUrl(request.url, state.info.url)
            return (
              <li key={key} className="us-unhandled" data-us-row={request.id}>
                <h2>
                  <Method>{request.method}</Method>
                  <span className="us-path" title={request.url}>
                    {request.name !== null && <strong>{request.name} </strong>}
                    {origin && <span className="us-muted">{origin}</span>}
                    {path}
                  </span>
                  <span className="us-unhandled-end">
                    {count > 1 && <span className="us-count">{count}×</span>}
                    <time className="us-muted">{formatTime(request.startedAt)}</time>
                    {save && /^https?:/.test(request.url) && (
                      <kit.Button
                        isPlain
                        ariaLabel={`Save as handler: ${request.method} ${path}`}
                        onClick={() => saveHandler(request)}
                      >
                        Save as handler
                      </kit.Button>
                    )}
                    <kit.Button
                      isPlain
                      ariaLabel={`Ignore ${request.method} ${path}`}
                      onClick={() => onIgnore(new Set([...ignored, key]))}
                    >
                      Ignore
                    </kit.Button>
                  </span>
                </h2>
                <NearestList request={request} state={state} />
              </li>
            )
          })}
        </ul>
        {shown.length > limit && (
          <p className="us-more">
            <kit.Button onClick={() => setLimit(limit + batch)}>{`${shown.length - limit} more`}</kit.Button>
          </p>
        )}
      </div>
    </div>
  )
}
