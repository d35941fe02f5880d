import { useEffect, useState } from 'react'
import type { ReactElement } from 'react'

import type { Booking } from '../api/bookings.ts'
import type { Play } from '../api/plays.ts'
import { getPlay } from '../api/plays.ts'
import { ProblemError } from '../api/request.ts'
import type { SeatsLeft } from '../api/seats.ts'
import { watchSeats } from '../api/seats.ts'
import { BookingForm } from '../components/BookingForm.tsx'
import { CastTable } from '../components/CastTable.tsx'
import { Failure } from '../components/Failure.tsx'
import { Loading } from '../components/Loading.tsx'
import { Poster } from '../components/Poster.tsx'
import { Ticket } from '../components/Ticket.tsx'
import { formatDuration, formatPrice, formatRun } from '../format.ts'
import { Link } from '../router.tsx'
import { useRequest } from '../use-request.ts'
import { NotFoundPage } from './NotFoundPage.tsx'

import './PlayPage.css'

export function PlayPage({ id }: { id: string }): ReactElement {
  const { state, retry } = useRequest(id, (signal) => getPlay(id, signal))

  if (state.status === 'loading') return <Loading>Raising the curtain…</Loading>
  if (state.status === 'loaded') return <PlayDetails play={state.data} />
  if (state.error instanceof ProblemError && state.error.problem.status === 404) {
    return <NotFoundPage>{state.error.message}</NotFoundPage>
  }
  return <Failure title="The play could not be loaded" error={state.error} onRetry={retry} />
}

function PlayDetails({ play }: { play: Play }): ReactElement {
  const [booking, setBooking] = useState<Booking | null>(null)
  const seatsLeft = useSeatsLeft(play.id, booking)

  return (
    <article className="play-page">
      <title>{`${play.title} · The Ghostlight`}</title>
      <header>
        <Link to="/" className="back">
          <span aria-hidden="true">←</span> What’s on
        </Link>
        <h1>{play.title}</h1>
        <p className="byline">
          by {play.author} <span className="genre">{play.genre}</span>
        </p>
      </header>
      <div className="sheet">
        <Poster playId={play.id} alt={`Poster for ${play.title}`} />
      </div>
      <dl className="facts">
        <div>
          <dt>Run</dt>
          <dd>{formatRun(play.opens, play.closes)}</dd>
        </div>
        <div>
          <dt>Length</dt>
          <dd>{formatDuration(play.minutes)}</dd>
        </div>
        <div>
          <dt>Seat</dt>
          <dd>{formatPrice(play.price)}</dd>
        </div>
      </dl>
      <div className="story">
        <p className="synopsis">{play.synopsis}</p>
        <h2 id="cast">Cast</h2>
        <CastTable cast={play.cast} labelledBy="cast" />
      </div>
      <section className="booking" aria-labelledby="booking">
        <h2 id="booking">Book seats</h2>
        <Booth play={play} booking={booking} seatsLeft={seatsLeft} onChange={setBooking} />
      </section>
    </article>
  )
}

interface BoothProps {
  play: Play
  booking: Booking | null
  seatsLeft: SeatsLeft
  onChange: (booking: Booking | null) => void
}

function Booth({ play, booking, seatsLeft, onChange }: BoothProps): ReactElement {
  if (booking) return <Ticket booking={booking} onBookMore={() => onChange(null)} />
  if (play.seatsLeft === 0) {
    return <p>Every performance is sold out. Returned seats are sold at the door, an hour before the play.</p>
  }
  return <BookingForm play={play} seatsLeft={seatsLeft} onBooked={onChange} />
}

/** A booking changes the number of free seats, so this requests it again after each one. */
function useSeatsLeft(playId: string, booking: Booking | null): SeatsLeft {
  const [seatsLeft, setSeatsLeft] = useState<SeatsLeft>({})
  useEffect(() => watchSeats(playId, setSeatsLeft), [playId, booking])
  return seatsLeft
}
