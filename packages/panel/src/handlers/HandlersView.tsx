import type { LoggedRequest } from '@understudy/engine/inspect'
import * as React from 'react'

import { formatCount } from '../format.ts'
import { usePanel } from '../panel-context.ts'
import type { PanelHost, PanelState } from '../panel-host.ts'
import type { FirstHandlers } from '../panel-props.ts'
import { useRovingRows } from '../roving-rows.ts'
import { formatPlace } from '../source-place.ts'
import { groupHandlers } from './group-handlers.ts'
import { HandlerRow } from './HandlerRow.tsx'

const ofModule: FirstHandlers = {
  text: 'Handlers say what answers a request. Export them from the handlers module, or add them with worker.use().',
  code: `import { http, HttpResponse } from '@understudy/engine'

export const handlers = [
  http.get('/api/user', () => HttpResponse.json({ name: 'Ada' })),
]`,
}

interface HandlersViewProps {
  state: PanelState
  /** The text for a list without handlers. */
  first?: FirstHandlers | undefined
}

/** The handlers in the order in which they answer. */
export function HandlersView({ state, first = ofModule }: HandlersViewProps): React.ReactElement {
  const { kit, host } = usePanel()
  const { handlers, requests, info } = state
  const [filter, setFilter] = React.useState('')
  // Ids mean one network's.
  const [open, setOpen] = React.useState<{ host: PanelHost; id: number } | null>(null)
  const openId = open?.host === host ? open.id : null
  const rows = useRovingRows()
  const byId = React.useMemo(() => new Map(handlers.map((handler) => [handler.id, handler])), [handlers])
  const lastById = React.useMemo(() => findLast(requests), [requests])

  if (handlers.length === 0) {
    return (
      <kit.EmptyState title="No handlers yet">
        <p>{first.text}</p>
        <kit.Code ariaLabel="An example">{first.code}</kit.Code>
      </kit.EmptyState>
    )
  }

  const wanted = filter.trim().toLowerCase()
  const shown = wanted
    ? handlers.filter(({ header, origin }) =>
        `${header} ${origin ? formatPlace(origin) : ''}`.toLowerCase().includes(wanted),
      )
    : handlers
  return (
    <div className="us-view">
      <div className="us-toolbar">
        <kit.TextField ariaLabel="Filter handlers" placeholder="Filter" value={filter} onChange={setFilter} />
        <span className="us-toolbar-note" data-hint={wanted === '' || undefined} role="status">
          {wanted ? `${shown.length} of ${formatCount(handlers.length, 'handler')}` : 'The first that matches answers.'}
        </span>
      </div>
      <div className="us-scroll" ref={rows.ref} onKeyDown={rows.onKeyDown} onFocus={rows.onFocus}>
        {shown.length === 0 && (
          <kit.EmptyState title="No handler fits the filter">
            <kit.Button onClick={() => setFilter('')}>Clear the filter</kit.Button>
          </kit.EmptyState>
        )}
        {groupHandlers(shown, info).map((section) => (
          <section key={section.key} aria-label={section.group ? `${section.layer}: ${section.group}` : section.layer}>
            <h2 className="us-section-title">
              {section.layer}
              {section.group !== null && <span className="us-section-group">{section.group}</span>}
              <span className="us-count">{section.handlers.length}</span>
            </h2>
            <ul className="us-list" role="list">
              {section.handlers.map((handler) => (
                <HandlerRow
                  key={handler.id}
                  handler={handler}
                  shadow={handler.shadowedBy === null ? undefined : byId.get(handler.shadowedBy)}
                  last={lastById.get(handler.id)}
                  isOpen={openId === handler.id}
                  onToggle={() => setOpen(openId === handler.id ? null : { host, id: handler.id })}
                />
              ))}
            </ul>
          </section>
        ))}
      </div>
    </div>
  )
}

/** The last request that each handler decided. */
function findLast(requests: readonly LoggedRequest[]): ReadonlyMap<number, LoggedRequest> {
  const found = new Map<number, LoggedRequest>()
  for (const request of requests) {
    if (request.handler && !found.has(request.handler.id)) found.set(request.handler.id, request)
  }
  return found
}
