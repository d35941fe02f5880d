import type { ReactElement } from 'react'

import { getReviews } from '../api/reports.ts'
import { useRequest } from '../use-request.ts'
import { Panel } from './Panel.tsx'

import './ReviewsPanel.css'

export function ReviewsPanel(): ReactElement {
  const request = useRequest('reviews', getReviews)
  return (
    <Panel title="Reviews" request={request} loading="Reading the papers…" failure="The reviews could not be loaded">
      {(reviews) => (
        <ul className="reviews">
          {reviews.map(({ paper, play, quote, stars }) => (
            <li key={paper}>
              <blockquote>{quote}</blockquote>
              <p>
                <span className="stars" aria-hidden="true">
                  {'★'.repeat(stars).padEnd(5, '☆')}
                </span>
                <span className="visually-hidden">{stars} out of 5 stars:</span> {paper} on <cite>{play}</cite>
              </p>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}
