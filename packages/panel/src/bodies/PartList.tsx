import * as React from 'react'

import { formatSize } from '../format.ts'
import { LongText } from './LongText.tsx'
import type { BodyPart } from './parse-multipart.ts'

/** The parts of a multipart body, such as the fields and files of a form. */
export function PartList({ parts }: { parts: readonly BodyPart[] }): React.ReactElement {
  return (
    <ol className="us-parts" role="list" aria-label="Parts">
      {parts.map((part, index) => (
        <li key={index} className="us-part">
          <strong className="us-part-name">{part.name ?? `Part ${index + 1}`}</strong>
          <span className="us-muted">{describe(part)}</span>
          {part.text !== null && part.text !== '' && (
            <LongText ariaLabel={`Content of ${part.name ?? `part ${index + 1}`}`} text={part.text} />
          )}
        </li>
      ))}
    </ol>
  )
}

/** Describes a part: `photo.png · image/png · 12.3 kB · binary`. */
function describe({ fileName, type, size, text, isComplete }: BodyPart): string {
  const words = [
    fileName === '' ? 'no file' : fileName,
    type,
    isComplete ? formatSize(size) : `${formatSize(size)} so far`,
  ]
  return [...words, text === null && 'binary'].filter(Boolean).join(' · ')
}
