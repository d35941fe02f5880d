import { useId } from 'react'
import type { ComponentProps, ReactElement } from 'react'

import './Field.css'

interface FieldProps extends ComponentProps<'input'> {
  label: string
  name: string
  /** The error of the value. */
  error?: string | undefined
}

export function Field({ label, error, ...input }: FieldProps): ReactElement {
  const id = useId()
  const errorId = `${id}-error`
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        {...input}
        id={id}
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? errorId : undefined}
      />
      {error && <FieldError id={errorId}>{error}</FieldError>}
    </div>
  )
}

export function FieldError({ id, children }: { id: string; children: string }): ReactElement {
  return (
    <p className="field-error" id={id}>
      {children}
    </p>
  )
}
