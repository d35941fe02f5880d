'use client'

import Link from 'next/link'
import { useEffect, useState } from 'react'

interface Boat {
  readonly id: string
  readonly name: string
}

export function BoatList() {
  const [boats, setBoats] = useState<readonly Boat[]>()
  const [failure, setFailure] = useState('')
  useEffect(() => {
    const controller = new AbortController()
    async function load(): Promise<void> {
      const response = await fetch('/api/boats', { signal: controller.signal })
      if (response.ok) setBoats(await response.json())
      else setFailure((await response.json()).message)
    }
    load().catch(() => {})
    return () => controller.abort()
  }, [])
  if (failure) return <p role="alert">{failure}</p>
  if (!boats) return <p>Loading boats…</p>
  return (
    <ul>
      {boats.map(({ id, name }) => (
        <li key={id}>
          <Link href={`/boats/${id}`}>{name}</Link>
        </li>
      ))}
    </ul>
  )
}
