import * as React from 'react'

import { usePanel } from './panel-context.ts'
import type { SourcePlace } from './panel-host.ts'
import { formatPlace, formatShortPlace } from './source-place.ts'

/** Where something was written; a click opens it, where the host can. */
export function Place({ place }: { place: SourcePlace | null }): React.ReactElement | null {
  const { host } = usePanel()
  if (!place) return null
  const full = formatPlace(place)
  // A narrow column shortens the file, and never the line.
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
