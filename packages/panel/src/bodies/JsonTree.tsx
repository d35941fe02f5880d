import * as React from 'react'

import { batchSize, isContainer, membersOf, type JsonMember, type ShownJson } from './show-json.ts'

/** The number of characters of a string that are shown at first. */
const textLimit = 2000

interface JsonTreeProps {
  value: unknown
  /** The part to show; see {@link showJson}. */
  shown: ShownJson
}

/** A JSON value as a tree that opens and closes. */
export function JsonTree({ value, shown }: JsonTreeProps): React.ReactElement {
  return (
    // Another search opens other nodes, and resets nodes that were opened by hand.
    <div className="us-tree" key={shown.found?.text ?? ''}>
      <Node value={value} name={null} shown={shown} />
    </div>
  )
}

interface NodeProps {
  value: unknown
  name: string | null
  shown: ShownJson
}

function Node({ value, name, shown }: NodeProps): React.ReactElement {
  const label = name !== null && (
    <span className="us-tree-key">
      <Marked text={name} search={shown.found?.text} />:{' '}
    </span>
  )
  if (!isContainer(value)) {
    return (
      <div className="us-tree-leaf">
        {label}
        <Leaf value={value} search={shown.found?.text} />
      </div>
    )
  }
  return <Container value={value} label={label} shown={shown} />
}

function Leaf({ value, search }: { value: unknown; search: string | undefined }): React.ReactElement {
  const [isCut, setIsCut] = React.useState(true)
  const text = textOf(value)
  const start = isCut ? firstCharacter(text, search) : 0
  return (
    <span data-type={value === null ? 'null' : typeof value}>
      {start > 0 && '…'}
      <Marked text={isCut ? text.slice(start, start + textLimit) : text} search={search} />
      {isCut && text.length > textLimit && (
        <>
          …{' '}
          <button type="button" className="us-link" onClick={() => setIsCut(false)}>
            all {text.length} characters
          </button>
        </>
      )}
    </span>
  )
}

/** Returns where the shown part of a long text starts: at its beginning, or near the first match. */
function firstCharacter(text: string, search: string | undefined): number {
  if (!search || text.length <= textLimit) return 0
  const index = text.toLowerCase().indexOf(search)
  return index + search.length <= textLimit ? 0 : index - 20
}

/** A text with the first match of a search marked. */
function Marked({ text, search }: { text: string; search: string | undefined }): React.ReactElement {
  const index = search ? text.toLowerCase().indexOf(search) : -1
  if (!search || index === -1) return <>{text}</>
  return (
    <>
      {text.slice(0, index)}
      <mark className="us-mark">{text.slice(index, index + search.length)}</mark>
      {text.slice(index + search.length)}
    </>
  )
}

interface ContainerProps {
  value: object
  label: React.ReactNode
  shown: ShownJson
}

function Container({ value, label, shown }: ContainerProps): React.ReactElement {
  const [isOpen, setIsOpen] = React.useState(shown.open.has(value))
  const isList = Array.isArray(value)
  const [open, close] = isList ? ['[', ']'] : ['{', '}']
  const members = React.useMemo(() => membersOf(value, shown.found), [value, shown.found])
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
            {preview(members, isList)}
            {close}
          </span>
        )}
      </summary>
      {/* Closed nodes are not rendered, because bodies may be long. */}
      {isOpen && <Members members={members} isList={isList} shown={shown} />}
      {isOpen && close}
    </details>
  )
}

/** Returns a preview of the first few short members. */
function preview(members: readonly JsonMember[], isList: boolean): string {
  const shown = members.slice(0, 4).map(([key, member]) => {
    const text = isContainer(member) ? (Array.isArray(member) ? '[…]' : '{…}') : brief(member)
    return isList ? text : `${key}: ${text}`
  })
  return [...shown, ...(members.length > shown.length ? ['…'] : [])].join(', ')
}

/** Writes a value as JSON. A `bigint` is a long integer of the source. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(value) : String(value)
}

function brief(value: unknown): string {
  const text = textOf(typeof value === 'string' ? value.slice(0, 24) : value)
  return text.length > 24 ? `${text.slice(0, 23)}…` : text
}

interface MembersProps {
  members: readonly JsonMember[]
  isList: boolean
  shown: ShownJson
}

function Members({ members, isList, shown }: MembersProps): React.ReactElement {
  const [limit, setLimit] = React.useState(batchSize)
  return (
    <div className="us-tree-members">
      {members.slice(0, limit).map(([key, member]) => (
        <Node key={key} name={isList ? key : JSON.stringify(key)} value={member} shown={shown} />
      ))}
      {members.length > limit && (
        <button type="button" className="us-link" onClick={() => setLimit(limit + batchSize)}>
          {members.length - limit} more
        </button>
      )}
    </div>
  )
}
