import { useCallback } from 'react'

import { readNotes } from './tea-api'
import { useLoaded } from './use-loaded'

export function Notes({ tea }: { tea: string }) {
  const notes = useLoaded(useCallback(() => readNotes(tea), [tea]))
  if (notes.state === 'loading') return <p>Tasting…</p>
  if (notes.state === 'failed') return <p role="alert">{notes.reason}</p>
  return <p data-testid="notes">{notes.value.join(', ')}</p>
}
