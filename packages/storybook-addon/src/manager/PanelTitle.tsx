import { countProblems, describeProblems } from '@understudy/panel'
import * as React from 'react'
import { Badge } from 'storybook/internal/components'

import { useNetworkState, useStoryNetwork } from './inspection.ts'

const visuallyHidden = {
  position: 'absolute',
  width: 1,
  height: 1,
  overflow: 'hidden',
  clipPath: 'inset(50%)',
} as const

/** The title of the addon's panel, with the number of unhandled requests and of resolvers that threw. */
export function PanelTitle(): React.ReactElement {
  const state = useNetworkState(useStoryNetwork())
  const problems = countProblems(state?.requests ?? [])
  const count = problems.unhandled + problems.errors
  return (
    <span style={{ display: 'flex', gap: 6, alignItems: 'center' }}>
      Handlers
      {count > 0 && (
        <>
          <span aria-hidden="true" title={describeProblems(problems)}>
            <Badge compact status="warning">
              {count > 99 ? '99+' : count}
            </Badge>
          </span>
          <span style={visuallyHidden}>{describeProblems(problems)}</span>
        </>
      )}
    </span>
  )
}
