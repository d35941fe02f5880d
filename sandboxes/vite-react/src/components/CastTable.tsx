import type { ReactElement } from 'react'

import type { CastMember } from '../api/plays.ts'

import './CastTable.css'

interface CastTableProps {
  cast: CastMember[]
  /** The id of the heading that names the table. */
  labelledBy: string
}

export function CastTable({ cast, labelledBy }: CastTableProps): ReactElement {
  return (
    <table className="cast-table" aria-labelledby={labelledBy}>
      <thead>
        <tr>
          <th scope="col">Role</th>
          <th scope="col">Played by</th>
          <th scope="col">Covered by</th>
        </tr>
      </thead>
      <tbody>
        {cast.map(({ role, actor, cover }) => (
          <tr key={role}>
            <th scope="row">{role}</th>
            <td>{actor}</td>
            <td className="cover">{cover}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
