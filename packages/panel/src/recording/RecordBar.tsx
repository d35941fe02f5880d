import type { LoggedRequest, RecordingMode } from '@understudy/engine/inspect'
import * as React from 'react'

import { formatCount } from '../format.ts'
import { usePanel } from '../panel-context.ts'
import type { PanelState } from '../panel-host.ts'
import type { ReviewSource } from './review-entry.ts'

const modes: readonly { readonly value: RecordingMode; readonly label: string }[] = [
  { value: 'unmatched', label: 'unmatched requests' },
  { value: 'all', label: 'all requests' },
]

const hints: Readonly<Record<RecordingMode, string>> = {
  unmatched: 'Requests that no handler matches go to the network.',
  all: 'No handler answers. Every request goes to the network.',
}

interface RecordBarProps {
  state: PanelState
  /** The recorded requests of the log. */
  recorded: readonly LoggedRequest[]
  onReview: (source: ReviewSource) => void
  /** Buttons before that of the import. */
  children?: React.ReactNode
}

/** Starts and ends a recording, and opens the recorded requests or an HTTP archive. */
export function RecordBar({ state, recorded, onReview, children }: RecordBarProps): React.ReactElement {
  const { host, kit, fail, announce } = usePanel()
  const { recording } = state
  const [chosen, setChosen] = React.useState<RecordingMode>('unmatched')
  const mode = recording ?? chosen
  const file = React.useRef<HTMLInputElement>(null)

  function record(next: RecordingMode | null): void {
    host.record?.(next).then(() => announce(next ? hints[next] : 'The recording has ended'), fail)
  }

  return (
    <div className="us-toolbar" role="group" aria-label="Recording">
      {host.record && (
        <>
          <span className="us-preserve">
            <kit.Switch
              ariaLabel="Record"
              isOn={recording !== undefined}
              onChange={(isOn) => record(isOn ? mode : null)}
            />
            <span aria-hidden="true">Record</span>
          </span>
          <kit.Select
            ariaLabel="What to record"
            value={mode}
            options={modes}
            onChange={(value) => {
              setChosen(value as RecordingMode)
              if (recording) record(value as RecordingMode)
            }}
          />
        </>
      )}
      <span className="us-toolbar-note" data-hint>
        {recording && hints[recording]}
      </span>
      {recorded.length > 0 && (
        <kit.Button onClick={() => onReview(recorded)}>Review {formatCount(recorded.length, 'response')}</kit.Button>
      )}
      <span className="us-toolbar-end">
        {children}
        <kit.Button isPlain onClick={() => file.current?.click()}>
          Import HAR
        </kit.Button>
      </span>
      <input
        ref={file}
        type="file"
        accept=".har,application/json"
        hidden
        aria-label="HAR file"
        onChange={({ currentTarget }) => {
          const [chosenFile] = currentTarget.files ?? []
          if (chosenFile) onReview(chosenFile)
          // Reset the value, so that the same file can be chosen again.
          currentTarget.value = ''
        }}
      />
    </div>
  )
}
