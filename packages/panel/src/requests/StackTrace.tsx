import type { LoggedRequest } from '@understudy/engine/inspect'
import * as React from 'react'

import { formatCount } from '../format.ts'
import { usePanel } from '../panel-context.ts'
import type { SourcePlace } from '../panel-host.ts'
import { Place } from '../Place.tsx'
import { parseStack } from './parse-stack.ts'

interface StackTraceProps {
  error: NonNullable<LoggedRequest['thrown']>
  /** The place of the handler. Its code is shown if the stack contains no line of the developer. */
  origin: SourcePlace | null
}

/** Shows the error that a resolver threw: its message, the code that threw it, and its stack. Frames of Understudy are collapsed. */
export function StackTrace({ error, origin }: StackTraceProps): React.ReactElement {
  const { host, kit } = usePanel()
  const [showsAll, setShowsAll] = React.useState(false)
  const frames = React.useMemo(() => parseStack(error.stack ?? ''), [error.stack])
  const [places, setPlaces] = React.useState<readonly (SourcePlace | null)[] | null>(null)
  const [excerpt, setExcerpt] = React.useState<string | null>(null)
  const thrower = React.useMemo(
    () => frames.find((frame) => !frame.isEngine && !frame.place.file.includes('/node_modules/')),
    [frames],
  )
  const place = thrower?.place ?? origin
  React.useEffect(() => {
    let isWanted = true
    if (place) {
      host.readExcerpt?.(place).then(
        (code) => isWanted && setExcerpt(code),
        // The dev server does not run.
        () => {},
      )
    }
    return () => {
      isWanted = false
    }
  }, [host, place])
  React.useEffect(() => {
    if (!host.locate) return undefined
    let isWanted = true
    host.locate(frames.map((frame) => frame.place)).then(
      (located) => isWanted && setPlaces(located),
      // The dev server does not run, so show the places of the page.
      () => isWanted && setPlaces([]),
    )
    return () => {
      isWanted = false
    }
  }, [host, frames])
  const shown = frames
    // A place in the generated module would be misleading. Show no place until the answer arrives.
    .map((frame, index) => ({
      ...frame,
      place: places || !host.locate ? (places?.[index] ?? frame.place) : null,
      index,
    }))
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
        {shown.map(({ name, place: written, index }) => (
          <li key={index}>
            <span className="us-muted">at</span> {name ?? '(anonymous)'} <Place place={written} />
          </li>
        ))}
      </ol>
      {folded > 0 && (
        <kit.Button isPlain isPressed={showsAll} onClick={() => setShowsAll(!showsAll)}>
          {showsAll ? 'Hide frames of Understudy' : `Show ${formatCount(folded, 'frame')} of Understudy`}
        </kit.Button>
      )}
    </section>
  )
}
