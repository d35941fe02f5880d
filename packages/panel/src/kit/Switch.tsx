import * as React from 'react'

import type { SwitchProps } from './kit.ts'

export function Switch({ ariaLabel, isOn, onChange }: SwitchProps): React.ReactElement {
  return (
    <button
      type="button"
      role="switch"
      className="us-switch"
      aria-checked={isOn}
      aria-label={ariaLabel}
      title={isOn ? 'Switch off' : 'Switch on'}
      onClick={() => onChange(!isOn)}
    >
      <span className="us-switch-thumb" />
    </button>
  )
}
