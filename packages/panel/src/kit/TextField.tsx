import * as React from 'react'

import type { TextFieldProps } from './kit.ts'

export function TextField({ ariaLabel, value, onChange, placeholder }: TextFieldProps): React.ReactElement {
  return (
    <input
      type="search"
      className="us-field"
      aria-label={ariaLabel}
      value={value}
      placeholder={placeholder}
      spellCheck={false}
      autoComplete="off"
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}
