import type { InspectedBody } from '@understudy/engine/inspect'
import * as React from 'react'

import { CopyButton } from '../CopyButton.tsx'
import { createLazy } from '../create-lazy.tsx'
import { formatMoment, formatSize } from '../format.ts'
import { usePanel } from '../panel-context.ts'
import { JsonTree } from './JsonTree.tsx'
import { LongText } from './LongText.tsx'
import type { StreamEvent } from './parse-events.ts'
import { describeBytes, describeSize, readBody } from './read-body.ts'
import { showJson } from './show-json.ts'

const PartList = createLazy(async () => (await import('./PartList.tsx')).PartList, 'the parts')

/** Above this number of characters, JSON has a search field. */
const searchableLength = 500

interface BodyViewProps {
  body: InspectedBody
  /** The message of the body: `Response`. */
  of: string
}

/** Shows a body as a tree, text or an image, with its type and size. */
export function BodyView({ body, of }: BodyViewProps): React.ReactElement {
  const { kit } = usePanel()
  const [isRaw, setIsRaw] = React.useState(false)
  const [search, setSearch] = React.useState('')
  const shown = React.useMemo(() => readBody(body), [body])
  const value = shown.as === 'json' ? shown.value : null
  const tree = React.useMemo(() => showJson(value, search), [value, search])
  return (
    <div className="us-body">
      <div className="us-body-bar">
        <span className="us-muted">
          {body.type || 'no content type'} · {describeSize(body)}
        </span>
        {(shown.as === 'json' || shown.as === 'events') && (
          <kit.Button isPlain isPressed={isRaw} onClick={() => setIsRaw(!isRaw)}>
            Raw
          </kit.Button>
        )}
        {'text' in shown && <CopyButton text={shown.text} what={`the ${of.toLowerCase()} body`} />}
      </div>
      {shown.as === 'json' && !isRaw && shown.text.length > searchableLength && (
        <div className="us-body-search">
          <kit.TextField
            ariaLabel={`Search the ${of.toLowerCase()} body`}
            placeholder="Search keys and values"
            value={search}
            onChange={setSearch}
          />
          <span className="us-muted" role="status">
            {tree.found && (tree.found.count === 1 ? '1 match' : `${tree.found.count} matches`)}
          </span>
        </div>
      )}
      {shown.as === 'json' && !isRaw && tree.found?.count !== 0 && <JsonTree value={shown.value} shown={tree} />}
      {shown.as === 'events' && !isRaw && <EventList events={shown.events} />}
      {shown.as === 'parts' && <PartList body={body} />}
      {(shown.as === 'json' || shown.as === 'events') && isRaw && (
        <LongText ariaLabel={`${of} body`} text={shown.text} />
      )}
      {shown.as === 'text' && shown.text !== '' && <LongText ariaLabel={`${of} body`} text={shown.text} />}
      {shown.as === 'image' && <img className="us-image" src={shown.url} alt={`${of} body`} />}
      {shown.as === 'text' && shown.text === '' && <p className="us-muted">{describeBytes(body)}</p>}
      {shown.as === 'bytes' && <p className="us-muted">{describeBytes(body)}</p>}
    </div>
  )
}

/** The events of a stream, the newest first. */
function EventList({ events }: { events: readonly StreamEvent[] }): React.ReactElement {
  if (events.length === 0) return <p className="us-muted">No events yet.</p>
  return (
    <ol className="us-frames" role="list" aria-label="Events">
      {events.toReversed().map(({ type, id, data, at }, index) => (
        <li key={events.length - index} className="us-frame us-event" data-direction="received">
          <span className="us-frame-mark" aria-hidden="true">
            ↓
          </span>
          <span className="us-frame-text">{data}</span>
          <span className="us-muted">{id === null ? type : `${type} #${id}`}</span>
          <span className="us-muted">{formatSize(new TextEncoder().encode(data).length)}</span>
          <time className="us-muted">{at === undefined ? '' : formatMoment(at)}</time>
        </li>
      ))}
    </ol>
  )
}
