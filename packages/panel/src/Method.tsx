import * as React from 'react'

/** The effect of methods on data. Protocols and operation types count as methods. */
const kinds: Readonly<Record<string, string>> = {
  POST: 'create',
  PUT: 'change',
  PATCH: 'change',
  DELETE: 'delete',
  mutation: 'change',
}

/** A method as a label: with a frame if it reads, filled if it changes data. */
export function Method({ children }: { children: string }): React.ReactElement {
  return (
    <span className="us-method" data-kind={Object.hasOwn(kinds, children) ? kinds[children] : 'read'}>
      {children}
    </span>
  )
}
