import * as React from 'react'

import type { SliderProps } from './kit.ts'

export function Slider({ ariaLabel, value, min, max, step, format, onChange }: SliderProps): React.ReactElement {
  return (
    <span className="us-slider">
      <input
        type="range"
        aria-label={ariaLabel}
        aria-valuetext={format(value)}
        min={min}
        max={max}
        step={step}
        value={value}
        onChange={(event) => onChange(Number(event.currentTarget.value))}
      />
      <output className="us-slider-value">{format(value)}</output>
    </span>
  )
}
