import * as React from 'react'

import type { SelectProps } from './kit.ts'

export function Select({ ariaLabel, value, options, onChange }: SelectProps): React.ReactElement {
  return (
    <select
      className="us-select"
      aria-label={ariaLabel}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    >
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
    </select>
  )
}
