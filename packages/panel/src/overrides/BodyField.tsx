import * as React from 'react'

import { formatSize } from '../format.ts'
import { usePanel } from '../panel-context.ts'
import { withFile } from './read-body-file.ts'
import type { ResponseDraft } from './response-draft.ts'

interface BodyFieldProps {
  draft: ResponseDraft
  original: ResponseDraft
  onChange: (draft: ResponseDraft) => void
  onError: (error: unknown) => void
}

/** Edits the body of a response as text, or replaces it by a file. */
export function BodyField({ draft, original, onChange, onError }: BodyFieldProps): React.ReactElement {
  const { kit } = usePanel()
  const file = React.useRef<HTMLInputElement>(null)
  const labelId = React.useId()
  const { body, base64 } = draft
  return (
    <div className="us-editor-field" {...(body === null && { role: 'group', 'aria-labelledby': labelId })}>
      <div className="us-editor-label">
        <span className="us-label" id={labelId}>
          Body
        </span>
        <kit.Button isPlain onClick={() => file.current?.click()}>
          Use a file…
        </kit.Button>
      </div>
      {body === null ? (
        <p>{describe(base64, original)}</p>
      ) : (
        <textarea
          className="us-text-area"
          aria-labelledby={labelId}
          value={body}
          rows={10}
          spellCheck={false}
          autoComplete="off"
          onChange={(event) => onChange({ ...draft, body: event.currentTarget.value })}
        />
      )}
      <input
        ref={file}
        type="file"
        hidden
        aria-label="File to use"
        onChange={({ currentTarget }) => {
          const [chosen] = currentTarget.files ?? []
          if (chosen) withFile(draft, chosen).then(onChange, onError)
          // Reset the value, so that the same file can be chosen again.
          currentTarget.value = ''
        }}
      />
    </div>
  )
}

function describe(base64: string | null, original: ResponseDraft): string {
  if (base64 === null) return 'It stays as it is, because it is very long or incomplete in the panel.'
  const size = formatSize(Math.floor((base64.replace(/=+$/, '').length * 3) / 4))
  return base64 === original.base64 ? `${size}, not text. It stays as it is.` : `${size} of the file, not text.`
}
