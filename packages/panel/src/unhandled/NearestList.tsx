import type { LoggedRequest } from '@understudy/engine/inspect'
import * as React from 'react'

import { CopyButton } from '../CopyButton.tsx'
import { usePanel } from '../panel-context.ts'
import type { PanelState } from '../panel-host.ts'
import { Place } from '../Place.tsx'

/** Shows why no handler matched a request, and the code of a handler that would match. */
export function NearestList({ request, state }: { request: LoggedRequest; state: PanelState }): React.ReactElement {
  const { kit, change } = usePanel()
  const { nearest, suggestion } = request
  const handlerOf = (id: number): PanelState['handlers'][number] | undefined =>
    state.handlers.find((handler) => handler.id === id)
  return (
    <div className="us-nearest">
      {nearest.length > 0 && (
        <p className="us-label">{nearest.length === 1 ? 'Nearest handler' : 'Nearest handlers'}</p>
      )}
      {nearest.length > 0 ? (
        <ul className="us-list" role="list" aria-label="Nearest handlers">
          {nearest.map(({ id, header, difference }) => (
            <li key={id} className="us-near">
              <code className="us-near-header">{header}</code>
              <Place place={handlerOf(id)?.origin ?? null} />
              <span className="us-near-difference">{withCode(difference)}</span>
              {difference.includes('switched off') && handlerOf(id)?.enabled === false && (
                <kit.Button ariaLabel={`Switch on ${header}`} onClick={() => change(id, { enabled: true })}>
                  Switch on
                </kit.Button>
              )}
            </li>
          ))}
        </ul>
      ) : (
        <p className="us-muted">No handler is similar.</p>
      )}
      {suggestion !== null && (
        <>
          <p className="us-label">A handler that would match</p>
          <div className="us-suggestion">
            <kit.Code ariaLabel="A handler that would match">{suggestion}</kit.Code>
            <CopyButton text={suggestion} what="the handler">
              Copy
            </CopyButton>
          </div>
        </>
      )}
    </div>
  )
}

/** Renders the text between backticks as code. */
function withCode(text: string): React.ReactNode[] {
  return text.split('`').map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      <code key={index} className="us-quoted">
        {part}
      </code>
    ),
  )
}
