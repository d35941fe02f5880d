import { useId } from 'react'
import type { ReactElement } from 'react'

import type { Performance } from '../api/plays.ts'
import type { SeatsLeft } from '../api/seats.ts'
import { formatDay, formatSeatsLeft, formatTime, formatWeekday } from '../format.ts'
import { FieldError } from './Field.tsx'

import './PerformancePicker.css'

interface PerformancePickerProps {
  name: string
  performances: Performance[]
  /** Newer numbers than those of the performances. */
  seatsLeft: SeatsLeft
  error?: string | undefined
}

export function PerformancePicker({ name, performances, seatsLeft, error }: PerformancePickerProps): ReactElement {
  const errorId = useId()
  return (
    <fieldset
      className="performance-picker"
      role="radiogroup"
      aria-invalid={error ? true : undefined}
      aria-describedby={error ? errorId : undefined}
    >
      <legend>Performance</legend>
      <div className="options">
        {performances.map((performance) => {
          const seats = seatsLeft[performance.id] ?? performance.seatsLeft
          return (
            <label key={performance.id}>
              <input type="radio" name={name} value={performance.id} disabled={seats === 0} />
              <span className="weekday">{formatWeekday(performance.startsAt)}</span>{' '}
              <span className="day">{formatDay(performance.startsAt)}</span>{' '}
              <span className="time">{formatTime(performance.startsAt)}</span>{' '}
              <span className={seats > 0 && seats < 10 ? 'seats few' : 'seats'}>{formatSeatsLeft(seats)}</span>
            </label>
          )
        })}
      </div>
      {error && <FieldError id={errorId}>{error}</FieldError>}
    </fieldset>
  )
}
