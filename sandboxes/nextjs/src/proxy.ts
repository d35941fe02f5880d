import { NextResponse, type NextRequest } from 'next/server'

import { apiOrigin } from './api-origin'

export const config = { matcher: ['/quotes'] }

export async function proxy(_request: NextRequest): Promise<NextResponse> {
  const response = await fetch(`${apiOrigin}/api/quote?for=proxy`)
  const { text } = (await response.json()) as { text: string }
  const next = NextResponse.next()
  next.headers.set('x-quote', text)
  return next
}
