import type { ReactElement } from 'react'

import { ProblemError } from '../api/request.ts'

import './Failure.css'

interface FailureProps {
  /** The failed operation: "The reviews could not be loaded". */
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

/** The server's text, or a default text without a response. */
export function describe(error: unknown): string {
  if (error instanceof ProblemError) return error.message
  return 'No answer came. Check the connection, then try again.'
}
