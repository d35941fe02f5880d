import { useEffect, useRef } from 'react'
import type { ReactElement } from 'react'

import type { Booking } from '../api/bookings.ts'
import { formatMoment, formatPrice } from '../format.ts'

import './Ticket.css'

interface TicketProps {
  booking: Booking
  onBookMore: () => void
}

export function Ticket({ booking, onBookMore }: TicketProps): ReactElement {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])

  return (
    <div className="ticket">
      <div className="stub">
        <h3 ref={heading} tabIndex={-1}>
          You’re booked, {booking.name}
        </h3>
        <p className="play">{booking.playTitle}</p>
        <p>{formatMoment(booking.startsAt)}</p>
        <dl>
          <div>
            <dt>Seats</dt>
            <dd>{booking.seats}</dd>
          </div>
          <div>
            <dt>Total</dt>
            <dd>{formatPrice(booking.total)}</dd>
          </div>
          <div>
            <dt>Reference</dt>
            <dd className="reference">{booking.reference}</dd>
          </div>
        </dl>
      </div>
      <button type="button" onClick={onBookMore}>
        Book more seats
      </button>
    </div>
  )
}
