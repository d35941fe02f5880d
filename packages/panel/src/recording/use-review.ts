import * as React from 'react'

import { usePanel } from '../panel-context.ts'
import type { PanelState } from '../panel-host.ts'
import type { ReviewSource } from './review-entry.ts'
import type { ReviewDialog } from './ReviewDialog.tsx'

interface Review {
  readonly open: (source: ReviewSource) => void
  readonly dialog: React.ReactElement | null
}

/** Opens the review. Its code is loaded on demand. */
export function useReview(state: PanelState): Review {
  const { fail } = usePanel()
  const [shown, setShown] = React.useState<{ Dialog: typeof ReviewDialog; source: ReviewSource } | null>(null)
  return {
    open(source) {
      import('./ReviewDialog.tsx').then(
        ({ ReviewDialog: Dialog }) => setShown({ Dialog, source }),
        ({ message }: Error) => fail(new Error(`Failed to load the review: ${message}. Reload the panel. (US0838)`)),
      )
    },
    dialog: shown && React.createElement(shown.Dialog, { source: shown.source, state, onClose: () => setShown(null) }),
  }
}
