import * as React from 'react'

import { usePanel } from '../panel-context.ts'

/**
 * The number of characters that are shown at once. Browsers need seconds for the layout of a line of a million
 * characters.
 */
const step = 50_000

/** Shows a text. A long text is shown in steps. */
export function LongText({ text, ariaLabel }: { text: string; ariaLabel: string }): React.ReactElement {
  const { kit } = usePanel()
  const [limit, setLimit] = React.useState(step)
  return (
    <>
      <kit.Code ariaLabel={ariaLabel}>{text.slice(0, limit)}</kit.Code>
      {text.length > limit && (
        <p>
          <kit.Button onClick={() => setLimit(limit + step)}>Show more</kit.Button>{' '}
          <span className="us-muted">{`${limit.toLocaleString('en')} of ${text.length.toLocaleString('en')} characters`}</span>
        </p>
      )}
    </>
  )
}
