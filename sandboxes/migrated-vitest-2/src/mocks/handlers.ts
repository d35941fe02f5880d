import { delay, http, HttpResponse, type HttpResponseResolver, type PathParams } from 'msw'

import type { Repair } from '../api/repairs'
import { createRepair, deleteRepair, findRepairs, updateRepair } from './repairs-store'

interface Credentials {
  email: string
  password: string
}

/** Answers 401 unless the request carries the token of the sign-in. */
function withToken(resolver: HttpResponseResolver): HttpResponseResolver {
  return (info) => {
    if (info.request.headers.get('Authorization') !== 'Bearer desk-token') {
      return HttpResponse.json({ message: 'Sign in first.' }, { status: 401 })
    }
    return resolver(info)
  }
}

export const handlers = [
  http.post<PathParams, Credentials>('/api/session', async ({ request }) => {
    const { email, password } = await request.json()
    await delay(20)
    if (password !== 'chain') return HttpResponse.json({ message: 'Wrong password.' }, { status: 401 })
    return HttpResponse.json({ token: 'desk-token', user: { name: email.split('@')[0] } })
  }),

  http.get(
    '/api/repairs',
    withToken(({ request }) => HttpResponse.json(findRepairs(new URL(request.url).searchParams.get('status')))),
  ),

  http.post<PathParams, Pick<Repair, 'bike'>>('/api/repairs', async ({ request }) => {
    const { bike } = await request.json()
    if (!bike) return HttpResponse.json({ message: 'Name the bike.' }, { status: 422 })
    return HttpResponse.json(createRepair(bike), { status: 201 })
  }),

  http.patch<{ id: string }, Partial<Repair>>('/api/repairs/:id', async ({ params, request }) => {
    const repair = updateRepair(params.id, await request.json())
    return repair ? HttpResponse.json(repair) : new HttpResponse(null, { status: 404 })
  }),

  http.delete<{ id: string }>('/api/repairs/:id', ({ params }) => {
    return new HttpResponse(null, { status: deleteRepair(params.id) ? 204 : 404 })
  }),

  http.post<PathParams, { name: string; content: string }>('/api/repairs/:id/photos', async ({ request }) => {
    const { name, content } = await request.json()
    const [, type, data = ''] = /^data:(.*);base64,(.*)$/.exec(content) ?? []
    return HttpResponse.json({ name, type, size: atob(data).length }, { status: 201 })
  }),

  http.get('/api/repairs/:id/invoice', () => {
    return HttpResponse.arrayBuffer(new TextEncoder().encode('%PDF-1.7').buffer, {
      headers: { 'Content-Type': 'application/pdf' },
    })
  }),
]
