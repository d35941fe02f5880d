import type { LoggedRequest } from '@understudy/engine/inspect'
import * as React from 'react'

import { describeOutcome } from './describe-outcome.ts'

const words = { pending: 'pending', 'network-error': 'failed', passthrough: 'network', unhandled: 'no mock' } as const

/** Shows the outcome of a request: a mocked status, or who answered and the status: `no mock 404`. */
export function Status({ request }: { request: LoggedRequest }): React.ReactElement {
  const { outcome, status, forced, thrown, noResponse } = request
  const isBad = outcome === 'network-error' || thrown !== null || (status !== null && status >= 400)
  const isOdd = (outcome === 'unhandled' && request.suggestion !== null) || noResponse.length > 0
  const tone = isBad ? 'negative' : isOdd ? 'warning' : toneOf(request)
  const isOfNetwork = (outcome === 'passthrough' || outcome === 'unhandled') && status !== null
  const isForced = forced?.status !== undefined || forced?.networkError
  return (
    <span className="us-status" data-tone={tone} data-shape={shapeOf(request)} title={describeOutcome(request)}>
      {outcome === 'mocked' ? (status ?? 'mocked') : words[outcome]}
      {isOfNetwork && ` ${status}`}
      {(isForced || forced?.isEdited) && <span className="us-forced">{forced?.isEdited ? 'edited' : 'forced'}</span>}
    </span>
  )
}

/** Returns a shape for each class of statuses, so that color is not the only difference. */
function shapeOf({ outcome, status }: LoggedRequest): string | undefined {
  if (outcome === 'network-error') return 'failed'
  return outcome === 'mocked' && status !== null ? `${Math.floor(status / 100)}xx` : outcome
}

function toneOf({ outcome, status }: LoggedRequest): string | undefined {
  if (outcome === 'pending') return 'pending'
  if (outcome !== 'mocked' || status === null) return undefined
  return status < 300 ? 'positive' : 'information'
}
