import type { ReactElement } from 'react'

import { posterUrl } from '../api/plays.ts'

import './Poster.css'

interface PosterProps {
  playId: string
  /** Empty if the title is next to the poster. */
  alt: string
}

export function Poster({ playId, alt }: PosterProps): ReactElement {
  return <img className="poster" src={posterUrl(playId)} alt={alt} width="400" height="600" />
}
