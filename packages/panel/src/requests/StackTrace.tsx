import type { LoggedRequest } from '@understudy/engine/inspect'
import * as React from 'react'

import { usePanel } from '../panel-context.ts'
import type { SourcePlace } from '../panel-host.ts'
import { Place } from '../Place.tsx'
import { parseStack } from './parse-stack.ts'

/** Shows the error that a resolver threw: its message, the code that threw it, and its stack. Frames of Understudy are collapsed. */
export function StackTrace({ error }: { error: NonNullable<LoggedRequest['thrown']> }): React.ReactElement {
  const { host, kit } = usePanel()
  const [showsAll, setShowsAll] = React.useState(false)
  const frames = React.useMemo(() => parseStack(error.stack ?? ''), [error.stack])
  const [places, setPlaces] = React.useState<readonly (SourcePlace | null)[] | null>(null)
  const [excerpt, setExcerpt] = React.useState<string | null>(null)
  React.useEffect(() => {
    const thrower = frames.find(({ isEngine, place }) => !isEngine && !place.file.includes('/node_modules/'))
    let isWanted = true
    if (thrower) {
      host.readExcerpt?.(thrower.place).then(
        (code) => isWanted && setExcerpt(code),
        // The dev server does not run.
        () => {},
      )
    }
    return () => {
      isWanted = false
    }
  }, [host, frames])
  React.useEffect(() => {
    if (!host.locate) return undefined
    let isWanted = true
    host.locate(frames.map(({ place }) => place)).then(
      (located) => isWanted && setPlaces(located),
      // The dev server does not run, so show the places of the page.
      () => {},
    )
    return () => {
      isWanted = false
    }
  }, [host, frames])
  const shown = frames
    .map((frame, index) => ({ ...frame, place: places?.[index] ?? frame.place, index }))
    .filter(({ isEngine }) => showsAll || !isEngine)
  const folded = frames.filter(({ isEngine }) => isEngine).length
  return (
    <section className="us-message" aria-label="Error">
      <h3 className="us-message-title">The resolver threw</h3>
      <p className="us-thrown">
        <strong>{error.name}</strong>: {error.message}
      </p>
      {excerpt !== null && <kit.Code ariaLabel="Code that threw">{excerpt}</kit.Code>}
      <ol className="us-stack" role="list">
        {shown.map(({ name, place, index }) => (
          <li key={index}>
            <span className="us-muted">at</span> {name ?? '(anonymous)'} <Place place={place} />
          </li>
        ))}
      </ol>
      {folded > 0 && (
        <kit.Button isPlain isPressed={showsAll} onClick={() => setShowsAll(!showsAll)}>
          {showsAll ? 'Hide frames of Understudy' : `Show ${folded} frames of Understudy`}
        </kit.Button>
      )}
    </section>
  )
}
