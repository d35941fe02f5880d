import type { InspectedBody } from '@understudy/engine/inspect'
import * as React from 'react'

import { formatSize } from '../format.ts'
import { LongText } from './LongText.tsx'
import { parseMultipart, partsLimit } from './parse-multipart.ts'
import { describeBytes } from './read-body.ts'

/** The parts of a multipart body, such as the fields and files of a form. Shows bytes if the body is malformed. */
export function PartList({ body }: { body: InspectedBody }): React.ReactElement {
  const parts = React.useMemo(() => parseMultipart(body.type, atob(body.base64 ?? '')), [body])
  if (!parts) return <p className="us-muted">{describeBytes(body)}</p>
  return (
    <>
      <dl>
        {parts.slice(0, partsLimit).map(({ name, fileName, type, size, text, isComplete }, index) => (
          <div key={index} className="us-fact">
            <dt>{name}</dt>
            <dd>
              <span className="us-muted">
                {[fileName, type, formatSize(size), text === null && 'binary', !isComplete && 'incomplete']
                  .filter(Boolean)
                  .join(' · ')}
              </span>
              {text && <LongText ariaLabel={name ?? 'Part'} text={text} />}
            </dd>
          </div>
        ))}
      </dl>
      {parts.length > partsLimit && (
        <p className="us-muted">{`Only the first ${partsLimit.toLocaleString('en')} parts are shown.`}</p>
      )}
    </>
  )
}
