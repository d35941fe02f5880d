import * as React from 'react'
import * as components from 'storybook/internal/components'

export interface ToolOption {
  readonly value: string
  readonly title: string
  readonly description?: string
}

interface ToolSelectProps {
  readonly ariaLabel: string
  readonly icon?: React.ReactNode
  /** The text while no option is chosen. */
  readonly text?: string
  readonly options: readonly ToolOption[]
  /** The value of the chosen option. */
  readonly chosen: string | undefined
  /** The name of the item that chooses none of the options. */
  readonly resetLabel: string
  readonly onChoose: (value: string | undefined) => void
}

// Storybook 9 and 10.0 do not have this component.
const { Select } = components as Partial<typeof components>

/** A choice in Storybook's toolbar. */
export function ToolSelect(props: ToolSelectProps): React.ReactElement {
  const { ariaLabel, icon, text, options, chosen, resetLabel, onChoose } = props
  if (!Select) return <NativeSelect {...props} />
  return (
    <Select
      // The component reads its options when it is created.
      key={`${chosen} ${options.map(({ value }) => value).join()}`}
      size="small"
      padding="small"
      ariaLabel={ariaLabel}
      icon={icon}
      options={options.map((option) => ({ ...option }))}
      {...(chosen !== undefined && { defaultOptions: chosen })}
      onSelect={(value: unknown) => value !== chosen && onChoose(String(value))}
      onReset={() => chosen !== undefined && onChoose(undefined)}
      resetLabel={resetLabel}
    >
      {chosen === undefined && text}
    </Select>
  )
}

/** Otherwise, the options have the color of the toolbar's text, with little or no contrast to the browser's background. */
const optionStyle = { color: 'FieldText', background: 'Field' }

function NativeSelect(props: ToolSelectProps): React.ReactElement {
  const { ariaLabel, icon, options, chosen, resetLabel, onChoose } = props
  return (
    <label style={{ display: 'flex', gap: 6, alignItems: 'center', paddingInline: 6 }}>
      {icon}
      <select
        aria-label={ariaLabel}
        value={chosen ?? ''}
        onChange={({ target }) => onChoose(target.value === '' ? undefined : target.value)}
        style={{ font: 'inherit', fontSize: 12, color: 'inherit', background: 'transparent', border: 0, height: 28 }}
      >
        <option value="" style={optionStyle}>
          {resetLabel}
        </option>
        {options.map(({ value, title, description }) => (
          <option key={value} value={value} title={description} style={optionStyle}>
            {title}
          </option>
        ))}
      </select>
    </label>
  )
}
