import { useId, useRef } from 'react'
import type { ReactElement, ReactNode } from 'react'

import type { RequestHandle } from '../use-request.ts'
import { Failure } from './Failure.tsx'
import { Loading } from './Loading.tsx'

import './Panel.css'

interface PanelProps<Data> {
  title: string
  request: RequestHandle<Data>
  /** The texts while the data loads, and when it cannot be loaded. */
  loading: string
  failure: string
  children: (data: Data) => ReactNode
}

/** A titled region for the data of one request. */
export function Panel<Data>({ title, request, loading, failure, children }: PanelProps<Data>): ReactElement {
  const id = useId()
  const heading = useRef<HTMLHeadingElement>(null)
  const { state, retry } = request

  function onRetry(): void {
    // The pressed button disappears. Keep the focus in the panel.
    heading.current?.focus()
    retry()
  }

  return (
    <section className="panel" aria-labelledby={id}>
      <h2 id={id} ref={heading} tabIndex={-1}>
        {title}
      </h2>
      {state.status === 'loading' && <Loading>{loading}</Loading>}
      {state.status === 'failed' && <Failure title={failure} error={state.error} onRetry={onRetry} />}
      {state.status === 'loaded' && children(state.data)}
    </section>
  )
}
