import * as React from 'react'
import { Badge } from 'storybook/internal/components'

import { useNetworkState, useStoryNetwork } from './inspection.ts'

/** The title of the addon's panel, with the number of handlers that are active. */
export function PanelTitle(): React.ReactElement {
  const state = useNetworkState(useStoryNetwork())
  const count = state?.handlers.filter(({ enabled }) => enabled).length ?? 0
  return (
    <span style={{ display: 'flex', gap: 6, alignItems: 'center' }}>
      Handlers
      {count > 0 && <Badge compact>{count}</Badge>}
    </span>
  )
}
