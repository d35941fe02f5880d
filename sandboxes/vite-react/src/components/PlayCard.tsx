import type { ReactElement } from 'react'

import type { PlaySummary } from '../api/plays.ts'
import { formatPrice, formatRun, formatSeatsLeft } from '../format.ts'
import { Link } from '../router.tsx'
import { Poster } from './Poster.tsx'

import './PlayCard.css'

export function PlayCard({ play }: { play: PlaySummary }): ReactElement {
  const isSoldOut = play.seatsLeft === 0
  return (
    <article className="play-card">
      <Poster playId={play.id} alt="" />
      <div className="about">
        <h2>
          <Link to={`/plays/${play.id}`}>{play.title}</Link>
        </h2>
        <p className="author">{play.author}</p>
        <p className="tagline">{play.tagline}</p>
        <p className="facts">
          <span>{formatRun(play.opens, play.closes)}</span>
          <span>{formatPrice(play.price)}</span>
          <span className={isSoldOut ? 'seats sold-out' : 'seats'}>{formatSeatsLeft(play.seatsLeft)}</span>
        </p>
      </div>
    </article>
  )
}
