import * as React from 'react'

import { usePanel } from './panel-context.ts'
import type { SourcePlace } from './panel-host.ts'
import { formatPlace, formatShortPlace } from './source-place.ts'

/** A position in a source file. A click opens it in the editor, if the host supports this. */
export function Place({ place }: { place: SourcePlace | null }): React.ReactElement | null {
  const { host } = usePanel()
  if (!place) return null
  const full = formatPlace(place)
  // A narrow column shortens the file name, but never the line number.
  const short = /^(.*)(:\d+)$/.exec(formatShortPlace(place))
  const text = (
    <>
      <span className="us-place-file">{short?.[1]}</span>
      <span>{short?.[2]}</span>
    </>
  )
  if (!host.openInEditor) {
    return (
      <span className="us-place" title={full}>
        {text}
      </span>
    )
  }
  return (
    <button
      type="button"
      className="us-place us-link"
      title={`Open ${full} in the editor`}
      aria-label={`Open ${full} in the editor`}
      onClick={() => host.openInEditor?.(place)}
    >
      {text}
    </button>
  )
}
