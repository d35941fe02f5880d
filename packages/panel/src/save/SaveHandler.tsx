import * as React from 'react'

import type { Exchange } from '../handler-code/exchange.ts'
import { usePanel } from '../panel-context.ts'
import { EditButtons, EditPreview } from './EditPreview.tsx'
import type { SaveMode, SavePreview } from './save-request.ts'

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
  /** The edits that can be undone, the newest first. */
  const [edits, setEdits] = React.useState<readonly SavePreview[]>([])
  const [saved, ...before] = edits

  function undo({ id, header, mode }: SavePreview): void {
    // The edit before can be undone after this one.
    setEdits(before)
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
            <kit.Button isPlain ariaLabel="Dismiss" onClick={() => setEdits([])}>
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
            setEdits([preview, ...edits])
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
          <EditPreview preview={preview} what={what} />
        </>
      )}
      {error !== null && preview?.error == null && (
        <p className="us-thrown" role="alert">
          {error}
        </p>
      )}
      <EditButtons
        preview={preview}
        what={what}
        isReady={shown?.of === asked}
        onSave={(next) => void save(next)}
        onClose={close}
      />
    </dialog>
  )
}
