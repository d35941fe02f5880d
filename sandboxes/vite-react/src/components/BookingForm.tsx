import { useEffect, useRef, useState } from 'react'
import type { ReactElement, SubmitEvent } from 'react'

import type { Booking } from '../api/bookings.ts'
import { bookSeats } from '../api/bookings.ts'
import type { Play } from '../api/plays.ts'
import { ProblemError } from '../api/request.ts'
import type { SeatsLeft } from '../api/seats.ts'
import { readText } from '../form.ts'
import { formatPrice } from '../format.ts'
import { useSession } from '../session.tsx'
import { describe } from './Failure.tsx'
import { Field } from './Field.tsx'
import { PerformancePicker } from './PerformancePicker.tsx'

import './BookingForm.css'

interface BookingFormProps {
  play: Play
  seatsLeft: SeatsLeft
  onBooked: (booking: Booking) => void
}

/** The box office validates the data, so the form sends it unchecked. */
export function BookingForm({ play, seatsLeft, onBooked }: BookingFormProps): ReactElement {
  const { user } = useSession()
  const form = useRef<HTMLFormElement>(null)
  const [isSending, setSending] = useState(false)
  const [failure, setFailure] = useState<unknown>()
  const [seats, setSeats] = useState(2)
  const errors = failure instanceof ProblemError ? (failure.problem.errors ?? {}) : {}

  useEffect(() => {
    form.current?.querySelector<HTMLInputElement>('input[aria-invalid], [aria-invalid] input:enabled')?.focus()
  }, [failure])

  async function book(event: SubmitEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault()
    if (isSending) return
    const fields = new FormData(event.currentTarget)
    setSending(true)
    setFailure(undefined)
    try {
      const booking = await bookSeats({
        playId: play.id,
        performanceId: readText(fields, 'performanceId'),
        seats: Number(readText(fields, 'seats')),
        name: readText(fields, 'name'),
        email: readText(fields, 'email'),
      })
      onBooked(booking)
    } catch (error) {
      setFailure(error)
    } finally {
      setSending(false)
    }
  }

  return (
    <form className="booking-form" ref={form} noValidate onSubmit={(event) => void book(event)}>
      {failure !== undefined && (
        <p className="notice" role="alert">
          {describe(failure)}
        </p>
      )}
      <PerformancePicker
        name="performanceId"
        performances={play.performances}
        seatsLeft={seatsLeft}
        error={errors.performanceId}
      />
      <div className="row">
        <Field
          label="Seats"
          name="seats"
          type="number"
          min={1}
          max={8}
          value={seats || ''}
          onChange={(event) => setSeats(event.target.valueAsNumber)}
          error={errors.seats}
        />
        <p className="total">
          <span>Total</span> <output>{formatPrice((seats || 0) * play.price)}</output>
        </p>
      </div>
      <Field
        key={user?.name}
        label="Name"
        name="name"
        autoComplete="name"
        defaultValue={user?.name}
        error={errors.name}
      />
      <Field
        key={user?.email}
        label="E-mail"
        name="email"
        type="email"
        autoComplete="email"
        defaultValue={user?.email}
        error={errors.email}
      />
      <button type="submit" className="primary" aria-disabled={isSending}>
        {isSending ? 'Booking…' : 'Book seats'}
      </button>
    </form>
  )
}
