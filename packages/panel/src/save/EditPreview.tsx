import * as React from 'react'

import { CopyButton } from '../CopyButton.tsx'
import { usePanel } from '../panel-context.ts'
import type { SavePreview } from './save-request.ts'

interface EditPreviewProps {
  preview: SavePreview
  /** What the code is, at the start of a sentence: `The handler`. */
  what: string
  notes?: readonly string[]
}

/** Shows the notes about an edit of the handlers file, and its diff. If the file cannot be edited, shows why, and the code. */
export function EditPreview({ preview, what, notes = preview.notes }: EditPreviewProps): React.ReactElement {
  const { kit } = usePanel()
  return (
    <>
      {notes.length > 0 && (
        <ul className="us-notes">
          {notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
      {preview.error !== null && (
        <>
          <p className="us-thrown" role="alert">
            {preview.error}
          </p>
          <kit.Code ariaLabel={what}>{preview.code}</kit.Code>
        </>
      )}
      {preview.id !== null && preview.diff === '' && (
        <p className="us-muted">The file already contains this code: {preview.file}</p>
      )}
      {preview.id !== null && preview.diff !== '' && (
        <>
          <p className="us-muted">The dev server changes {preview.file}:</p>
          <pre className="us-code us-diff" role="group" aria-label={`Changes in ${preview.file}`} tabIndex={0}>
            {preview.diff
              .trimEnd()
              .split('\n')
              .map((line, index) => (
                <span key={index} data-mark={line[0]}>{`${shorten(line)}\n`}</span>
              ))}
          </pre>
        </>
      )}
    </>
  )
}

/** A body in Base64 is one line, which would take the browser seconds to lay out. */
const lineLimit = 2000

function shorten(line: string): string {
  if (line.length <= lineLimit) return line
  const [start, end] = [line.slice(0, lineLimit / 2), line.slice(-lineLimit / 4)]
  return `${start} … ${(line.length - start.length - end.length).toLocaleString('en')} more characters … ${end}`
}

interface EditButtonsProps {
  preview: SavePreview | undefined
  /** As in {@link EditPreview}. */
  what: string
  /** Whether the diff on the screen is the edit that is written. */
  isReady: boolean
  onSave: (preview: SavePreview) => void
  onClose: () => void
}

/** The buttons that write an edit, copy its code, and close the dialog. */
export function EditButtons({ preview, what, isReady, onSave, onClose }: EditButtonsProps): React.ReactElement {
  const { kit } = usePanel()
  return (
    <div className="us-editor-buttons">
      {preview?.error == null && (
        <kit.Button isDisabled={!isReady || preview?.diff === ''} onClick={() => preview && onSave(preview)}>
          Save
        </kit.Button>
      )}
      {preview && (
        <CopyButton text={preview.code} what={what.toLowerCase()}>
          Copy
        </CopyButton>
      )}
      <kit.Button isPlain onClick={onClose}>
        Cancel
      </kit.Button>
    </div>
  )
}
