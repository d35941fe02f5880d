import type { ReactElement } from 'react'

import { ProblemError } from '../api/request.ts'

import './Failure.css'

interface FailureProps {
  /** What could not be had: "The reviews could not be loaded". */
  title: string
  error: unknown
  onRetry?: () => void
}

export function Failure({ title, error, onRetry }: FailureProps): ReactElement {
  return (
    <div className="failure" role="alert">
      <p className="title">{title}</p>
      <p>{describe(error)}</p>
      {onRetry && (
        <button type="button" onClick={onRetry}>
          Try again
        </button>
      )}
    </div>
  )
}

/** In the server's words where it answered, in ours where it did not. */
export function describe(error: unknown): string {
  if (error instanceof ProblemError) return error.message
  return 'No answer came. Check the connection, then try again.'
}
