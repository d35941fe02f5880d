import type { LoggedRequest } from '@understudy/engine/inspect'
import * as React from 'react'

import { describeOutcome } from './describe-outcome.ts'

const words = { 'network-error': 'failed', passthrough: 'passed', unhandled: 'no mock' } as const

/** What became of a request, in one word. */
export function Status({ request }: { request: LoggedRequest }): React.ReactElement {
  const { outcome, status } = request
  const isBad = outcome === 'network-error' || (status !== null && status >= 400)
  const tone = isBad ? 'negative' : outcome === 'unhandled' && request.suggestion !== null ? 'warning' : undefined
  return (
    <span className="us-status" data-tone={tone} title={describeOutcome(request)}>
      {outcome === 'mocked' ? (status ?? 'mocked') : words[outcome]}
    </span>
  )
}
