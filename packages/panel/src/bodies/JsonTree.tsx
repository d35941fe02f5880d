import * as React from 'react'

/** Members that are shown at once; a click shows as many more. */
const batch = 100

/** A JSON value as a tree that opens and closes. */
export function JsonTree({ value }: { value: unknown }): React.ReactElement {
  return (
    <div className="us-tree">
      <Node value={value} name={null} depth={0} />
    </div>
  )
}

function Node({ value, name, depth }: { value: unknown; name: string | null; depth: number }): React.ReactElement {
  const [isOpen, setIsOpen] = React.useState(depth < 2)
  const label = name !== null && <span className="us-tree-key">{name}: </span>
  if (typeof value !== 'object' || value === null) {
    return (
      <div className="us-tree-leaf">
        {label}
        <span data-type={value === null ? 'null' : typeof value}>{JSON.stringify(value)}</span>
      </div>
    )
  }
  const members: readonly (readonly [string, unknown])[] = Object.entries(value)
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}']
  if (members.length === 0) {
    return (
      <div className="us-tree-leaf">
        {label}
        {open}
        {close}
      </div>
    )
  }
  return (
    <details open={isOpen} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>
        {label}
        {open}
        {!isOpen && (
          <span className="us-tree-preview">
            {preview(members, Array.isArray(value))}
            {close}
          </span>
        )}
      </summary>
      {/* What is closed is not rendered: bodies may be long. */}
      {isOpen && <Members members={members} depth={depth} isList={Array.isArray(value)} />}
      {isOpen && close}
    </details>
  )
}

/** The first few members, as far as they are short. */
function preview(members: readonly (readonly [string, unknown])[], isList: boolean): string {
  const shown = members.slice(0, 4).map(([key, member]) => {
    const text = typeof member === 'object' && member !== null ? (Array.isArray(member) ? '[…]' : '{…}') : brief(member)
    return isList ? text : `${key}: ${text}`
  })
  return [...shown, ...(members.length > shown.length ? ['…'] : [])].join(', ')
}

function brief(value: unknown): string {
  const text = JSON.stringify(value)
  return text.length > 24 ? `${text.slice(0, 23)}…` : text
}

interface MembersProps {
  members: readonly (readonly [string, unknown])[]
  depth: number
  isList: boolean
}

function Members({ members, depth, isList }: MembersProps): React.ReactElement {
  const [limit, setLimit] = React.useState(batch)
  return (
    <div className="us-tree-members">
      {members.slice(0, limit).map(([key, member]) => (
        <Node key={key} name={isList ? key : JSON.stringify(key)} value={member} depth={depth + 1} />
      ))}
      {members.length > limit && (
        <button type="button" className="us-link" onClick={() => setLimit(limit + batch)}>
          {members.length - limit} more
        </button>
      )}
    </div>
  )
}
