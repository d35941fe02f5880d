import * as React from 'react'

import { CopyButton } from '../CopyButton.tsx'
import { usePanel } from '../panel-context.ts'
import type { Exchange, SaveMode, SavePreview } from './exchange.ts'

/** The exchanges to save. */
export interface Saving {
  /** The oldest first. */
  readonly exchanges: readonly Exchange[]
  readonly onSaved: (() => void) | undefined
}

interface SaveHandlerProps {
  saving: Saving | null
  onClose: () => void
}

/** Shows the edit that saves exchanges as handlers, applies it after a confirmation, and offers to undo it. */
export function SaveHandler({ saving, onClose }: SaveHandlerProps): React.ReactElement {
  const { kit, host, fail, announce } = usePanel()
  const [saved, setSaved] = React.useState<SavePreview | null>(null)

  function undo({ id, header, mode }: SavePreview): void {
    setSaved(null)
    host.saver?.undo(id ?? '').then(() => announce(`${mode === 'replace' ? 'Restored' : 'Removed'} ${header}`), fail)
  }

  return (
    <>
      {saved && (
        <p className="us-notice" data-tone="positive">
          <span>
            {saved.mode === 'replace' ? 'Replaced' : 'Saved'} <code>{saved.header}</code> in {saved.file}.
          </span>
          <span className="us-editor-buttons">
            <kit.Button
              ariaLabel={`Undo: ${saved.mode === 'replace' ? 'restore' : 'remove'} ${saved.header}`}
              onClick={() => undo(saved)}
            >
              Undo
            </kit.Button>
            <kit.Button isPlain ariaLabel="Dismiss" onClick={() => setSaved(null)}>
              ✕
            </kit.Button>
          </span>
        </p>
      )}
      {saving && (
        <SaveDialog
          exchanges={saving.exchanges}
          onClose={onClose}
          onSaved={(preview) => {
            setSaved(preview)
            announce(`${preview.mode === 'replace' ? 'Replaced' : 'Saved'} ${preview.header} in ${preview.file}`)
            saving.onSaved?.()
          }}
        />
      )}
    </>
  )
}

interface SaveDialogProps {
  exchanges: readonly Exchange[]
  onSaved: (preview: SavePreview) => void
  onClose: () => void
}

function SaveDialog({ exchanges, onSaved, onClose }: SaveDialogProps): React.ReactElement {
  const { kit, host } = usePanel()
  const { saver } = host
  const dialog = React.useRef<HTMLDialogElement>(null)
  const titleId = React.useId()
  const [asked, ask] = React.useState<{ path: string | null; mode: SaveMode | null }>({ path: null, mode: null })
  const [shown, setShown] = React.useState<{ preview: SavePreview; of: unknown } | null>(null)
  const [error, setError] = React.useState<string | null>(null)
  const showError = (thrown: unknown): void => setError(thrown instanceof Error ? thrown.message : String(thrown))
  React.useEffect(() => dialog.current?.showModal(), [])
  React.useEffect(() => {
    let isWanted = true
    const [first] = exchanges
    const previewing =
      exchanges.length === 1 && first
        ? saver?.preview(first, asked.path, asked.mode)
        : saver?.previewAll(exchanges, asked.path)
    previewing?.then(
      (preview) => isWanted && setShown({ preview, of: asked }),
      (thrown: unknown) => isWanted && showError(thrown),
    )
    return () => {
      isWanted = false
    }
  }, [saver, exchanges, asked])
  const preview = shown?.preview
  const title = exchanges.length === 1 ? 'Save as handler' : 'Save as handlers'
  const what = exchanges.length === 1 ? 'The handler' : 'The handlers'
  const close = (): void => dialog.current?.close()

  async function save(next: SavePreview): Promise<void> {
    setShown(null)
    try {
      await saver?.write(next.id ?? '')
      // The focus returns to the element that opened this dialog, which may be in another dialog.
      close()
      onSaved(next)
    } catch (thrown) {
      showError(thrown)
      // The file has changed. Show the edit of its current text.
      ask({ path: next.path, mode: next.mode })
    }
  }

  return (
    // Browsers return the focus when the dialog closes.
    <dialog ref={dialog} className="us-dialog" aria-labelledby={titleId} onClose={onClose}>
      <h2 id={titleId} className="us-detail-title">
        {title}
      </h2>
      {preview && (
        <>
          {preview.canReplace && (
            <div className="us-override-field">
              <span className="us-label">Change</span>
              <kit.Select
                ariaLabel="Change"
                value={asked.mode ?? preview.mode}
                options={[
                  { value: 'replace', label: 'Replace the handler' },
                  { value: 'insert', label: 'Add before it' },
                ]}
                onChange={(mode) => ask({ path: asked.path, mode: mode === 'replace' ? 'replace' : 'insert' })}
              />
            </div>
          )}
          {preview.paths.length > 1 && (
            <div className="us-override-field">
              <span className="us-label">Path</span>
              <kit.Select
                ariaLabel="Path"
                value={asked.path ?? preview.path}
                options={preview.paths.map((value) => ({ value, label: value }))}
                onChange={(path) => ask({ path, mode: asked.mode })}
              />
            </div>
          )}
          {preview.notes.length > 0 && (
            <ul className="us-notes">
              {preview.notes.map((note) => (
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
          {preview.id !== null && (
            <>
              <p className="us-muted">The dev server changes {preview.file}:</p>
              <pre className="us-code us-diff" role="group" aria-label={`Changes in ${preview.file}`} tabIndex={0}>
                {preview.diff
                  .trimEnd()
                  .split('\n')
                  .map((line, index) => (
                    <span key={index} data-mark={line[0]}>{`${line}\n`}</span>
                  ))}
              </pre>
            </>
          )}
        </>
      )}
      {error !== null && (
        <p className="us-thrown" role="alert">
          {error}
        </p>
      )}
      <div className="us-editor-buttons">
        {preview?.error == null && (
          <kit.Button isDisabled={shown?.of !== asked} onClick={() => preview && void save(preview)}>
            Save
          </kit.Button>
        )}
        {preview && (
          <CopyButton text={preview.code} what={what.toLowerCase()}>
            Copy
          </CopyButton>
        )}
        <kit.Button isPlain onClick={close}>
          Cancel
        </kit.Button>
      </div>
    </dialog>
  )
}
