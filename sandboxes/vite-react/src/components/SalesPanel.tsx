import type { ReactElement } from 'react'

import { getSeasonReport } from '../api/reports.ts'
import { formatCount, formatPrice } from '../format.ts'
import { useRequest } from '../use-request.ts'
import { Panel } from './Panel.tsx'

import './SalesPanel.css'

export function SalesPanel(): ReactElement {
  const request = useRequest('season', getSeasonReport)
  return (
    <Panel
      title="Season sales"
      request={request}
      loading="Counting the ticket stubs…"
      failure="The sales could not be counted"
    >
      {({ takings, plays }) => (
        <>
          <p className="takings">
            <strong>{formatPrice(takings)}</strong> taken so far
          </p>
          <ul className="sales">
            {plays.map(({ id, title, seatsSold, seats }) => (
              <li key={id}>
                <span>{title}</span>
                <span className="share">
                  {formatCount(seatsSold)} of {formatCount(seats)}
                </span>
                <span className="bar" aria-hidden="true">
                  <span style={{ inlineSize: `${(100 * seatsSold) / seats}%` }} />
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
    </Panel>
  )
}
