import type { InspectedBody } from '@understudy/engine/inspect'
import * as React from 'react'

import { CopyButton } from '../CopyButton.tsx'
import { usePanel } from '../panel-context.ts'
import { JsonTree } from './JsonTree.tsx'
import { describeSize, readBody } from './read-body.ts'

interface BodyViewProps {
  body: InspectedBody
  /** What it is the body of: `Response`. */
  of: string
}

/** A body: a tree, text or an image, with its type and size. */
export function BodyView({ body, of }: BodyViewProps): React.ReactElement {
  const { kit } = usePanel()
  const [isRaw, setIsRaw] = React.useState(false)
  const shown = React.useMemo(() => readBody(body), [body])
  return (
    <div className="us-body">
      <div className="us-body-bar">
        <span className="us-muted">
          {body.type || 'no content type'} · {describeSize(body)}
        </span>
        {shown.as === 'json' && (
          <kit.Button isPlain isPressed={isRaw} onClick={() => setIsRaw(!isRaw)}>
            Raw
          </kit.Button>
        )}
        {(shown.as === 'json' || shown.as === 'text') && (
          <CopyButton text={shown.text} what={`the ${of.toLowerCase()} body`} />
        )}
      </div>
      {shown.as === 'json' && !isRaw && <JsonTree value={shown.value} />}
      {shown.as === 'json' && isRaw && <kit.Code ariaLabel={`${of} body`}>{shown.text}</kit.Code>}
      {shown.as === 'text' && <kit.Code ariaLabel={`${of} body`}>{shown.text}</kit.Code>}
      {shown.as === 'image' && <img className="us-image" src={shown.url} alt={`${of} body`} />}
      {shown.as === 'bytes' && <p className="us-muted">Bytes of no kind that can be shown.</p>}
    </div>
  )
}
