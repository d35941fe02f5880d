import type { InspectedHandler, LoggedRequest } from '@understudy/engine/inspect'
import * as React from 'react'

import { formatCount, formatDuration, formatTime, splitHeader } from '../format.ts'
import { Status } from '../log/Status.tsx'
import { Method } from '../Method.tsx'
import { isOverridden } from '../overrides/is-overridden.ts'
import { isEdited } from '../overrides/override-choices.ts'
import { OverrideEditor } from '../overrides/OverrideEditor.tsx'
import { usePanel } from '../panel-context.ts'
import { Place } from '../Place.tsx'

interface HandlerRowProps {
  /** Identifies the handler also after an edit of the handlers. */
  rowKey: string
  handler: InspectedHandler
  /** An earlier handler that answers all requests that this one matches. */
  shadow: InspectedHandler | undefined
  /** The layer of `shadow`, if it is another one: the override is intended. */
  overrider: string | undefined
  /** The last request that it decided. */
  last: LoggedRequest | undefined
  isOpen: boolean
  onToggle: (rowKey: string) => void
}

/** A row is rendered again only if its handler has changed: there may be hundreds, and each request is a change. */
export const HandlerRow: React.ComponentType<HandlerRowProps> = React.memo(Row)

function Row(props: HandlerRowProps): React.ReactElement {
  const { rowKey, handler, shadow, overrider, last, isOpen, onToggle } = props
  const { kit, change } = usePanel()
  const { id, header, enabled, hits, origin } = handler
  const [method, rest] = splitHeader(header)
  const state = isOverridden(handler) ? 'forced' : shadow || handler.isUsedUp ? 'idle' : 'active'
  return (
    <li className="us-handler" data-us-row={rowKey} data-state={state}>
      <div className="us-handler-line">
        <kit.Switch ariaLabel={header} isOn={enabled} onChange={(isOn) => change(id, { enabled: isOn })} />
        <div className="us-handler-name">
          <Method>{method}</Method> <span className="us-path">{rest}</span> <Marks handler={handler} />
        </div>
        <div className="us-handler-facts">
          <span className="us-handler-place">
            <Place place={origin} />
          </span>
          <span className="us-handler-last">
            {last && (
              <>
                <Status request={last} /> <time>{formatTime(last.startedAt)}</time>
              </>
            )}
          </span>
          <span className="us-handler-hits">{describeHits(hits, last)}</span>
        </div>
        <kit.Button
          isPlain
          isExpanded={isOpen}
          ariaLabel={`Force an answer of ${header}`}
          onClick={() => onToggle(rowKey)}
        >
          Force
        </kit.Button>
      </div>
      {shadow && (
        <div className="us-handler-note">
          {overrider === undefined ? (
            <>
              <span className="us-warning">Shadowed</span> by <code>{shadow.header}</code>, which comes first and
              matches the same requests.
            </>
          ) : (
            `Overridden by ${overrider}.`
          )}{' '}
          <Place place={shadow.origin} />
        </div>
      )}
      {isOpen && <OverrideEditor rowKey={rowKey} handler={handler} last={last} />}
    </li>
  )
}

/** A handler that was asked and has not answered is not one that was never hit. */
function describeHits(hits: number, last: LoggedRequest | undefined): string {
  if (hits > 0) return formatCount(hits, 'hit')
  return last ? 'no answer' : 'never hit'
}

function Marks({ handler: { enabled, override, isUsedUp } }: { handler: InspectedHandler }): React.ReactElement {
  const { kit } = usePanel()
  return (
    <span className="us-marks">
      {!enabled && <kit.Badge tone="warning">off</kit.Badge>}
      {override?.networkError && <kit.Badge tone="warning">network error</kit.Badge>}
      {override?.status !== undefined && <kit.Badge tone="warning">{`status ${override.status}`}</kit.Badge>}
      {override?.delay !== undefined && <kit.Badge tone="warning">{`+${formatDuration(override.delay)}`}</kit.Badge>}
      {isEdited(override) && <kit.Badge tone="warning">edited response</kit.Badge>}
      {isUsedUp && <kit.Badge title="It answers once and has already answered.">used up</kit.Badge>}
    </span>
  )
}
