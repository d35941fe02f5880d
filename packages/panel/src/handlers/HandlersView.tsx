import type { LoggedRequest } from '@understudy/engine/inspect'
import * as React from 'react'

import { formatCount } from '../format.ts'
import { usePanel } from '../panel-context.ts'
import type { PanelState } from '../panel-host.ts'
import type { FirstHandlers } from '../panel-props.ts'
import { useRovingRows } from '../roving-rows.ts'
import { keysOfHandlers } from '../settings/settings.ts'
import { formatPlace } from '../source-place.ts'
import { useKept } from '../use-kept.ts'
import { describeOverrider, groupHandlers, type HandlerSection } from './group-handlers.ts'
import { HandlerRow } from './HandlerRow.tsx'

const ofModule: FirstHandlers = {
  text: 'Handlers answer requests. Export them from the handlers module, or add them with worker.use().',
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
  const [filter, setFilter] = useKept('filter of handlers', '')
  // An edit of the handlers or a reload gives handlers new ids. The same keys keep what was typed, and the focus.
  const keys = React.useMemo(() => keysOfHandlers({ handlers, info }), [handlers, info])
  // Another story has other responses.
  const story = host.remount ? readStory(info.url) : ''
  const [openKey, setOpenKey] = useKept('open handler', '')
  const [collapsed, setCollapsed] = useKept<ReadonlySet<string>>('collapsed handlers', new Set())
  const open = React.useRef(openKey)
  open.current = openKey
  // Stays the same function, so that only changed rows are rendered again.
  const toggle = React.useCallback((key: string): void => setOpenKey(open.current === key ? '' : key), [setOpenKey])
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
          {wanted
            ? `${shown.length} of ${formatCount(handlers.length, 'handler')}`
            : 'The first matching handler answers.'}
        </span>
      </div>
      <div className="us-scroll" ref={rows.ref} onKeyDown={rows.onKeyDown} onFocus={rows.onFocus}>
        {shown.length === 0 && (
          <kit.EmptyState title="No handler matches the filter">
            <kit.Button onClick={() => setFilter('')}>Clear the filter</kit.Button>
          </kit.EmptyState>
        )}
        {groupHandlers(shown, info).map((section) => {
          // A filter shows all that it finds.
          const isCollapsed = wanted === '' && collapsed.has(nameOf(section))
          return (
            <HandlersSection
              key={section.key}
              section={section}
              isCollapsed={isCollapsed}
              onToggle={() => setCollapsed(toggled(collapsed, nameOf(section)))}
            >
              {section.handlers.map((handler) => {
                const shadow = handler.shadowedBy === null ? undefined : byId.get(handler.shadowedBy)
                const key = `${story} ${keys.get(handler.id)}`
                return (
                  <HandlerRow
                    key={key}
                    rowKey={key}
                    handler={handler}
                    shadow={shadow}
                    overrider={shadow && describeOverrider(handler, shadow, info)}
                    last={lastById.get(handler.id)}
                    isOpen={openKey === key}
                    onToggle={toggle}
                  />
                )
              })}
            </HandlersSection>
          )
        })}
      </div>
    </div>
  )
}

function nameOf({ layer, group }: HandlerSection): string {
  return group === null ? layer : `${layer}: ${group}`
}

interface HandlersSectionProps {
  section: HandlerSection
  isCollapsed: boolean
  onToggle: () => void
  children: React.ReactNode
}

/** The handlers of a layer or of a named group, below a title that collapses them. */
function HandlersSection(props: HandlersSectionProps): React.ReactElement {
  const { section, isCollapsed, onToggle, children } = props
  const { layer, group, handlers } = section
  return (
    <section aria-label={nameOf(section)}>
      <h2 className="us-section-title" data-us-row={nameOf(section)}>
        <button type="button" className="us-section-toggle" aria-expanded={!isCollapsed} onClick={onToggle}>
          <span className="us-section-layer">{layer}</span>
          {group !== null && <span className="us-section-group">{group}</span>}{' '}
          <span className="us-count">{handlers.length}</span>
        </button>
      </h2>
      {!isCollapsed && (
        <ul className="us-list" role="list">
          {children}
        </ul>
      )}
    </section>
  )
}

function toggled(keys: ReadonlySet<string>, key: string): ReadonlySet<string> {
  const next = new Set(keys)
  if (!next.delete(key)) next.add(key)
  return next
}

/** The last request that each handler decided. */
function findLast(requests: readonly LoggedRequest[]): ReadonlyMap<number, LoggedRequest> {
  const found = new Map<number, LoggedRequest>()
  for (const request of requests) {
    if (request.handler && !found.has(request.handler.id)) found.set(request.handler.id, request)
  }
  return found
}

/** Returns the id of the story in the URL of Storybook's preview. The rest of the URL changes with the overrides. */
function readStory(url: string | null): string {
  return (url !== null && URL.canParse(url) && new URL(url).searchParams.get('id')) || ''
}
