import { delay, http, HttpResponse } from 'msw'

import type { Note, NotePage } from '../notes-api'

const notes: Note[] = ['Rake', 'Shed key', 'Compost', 'Hose'].map((text, index) => ({ id: index + 1, text, votes: 0 }))
const pageSize = 3

export const handlers = [
  http.get('/api/session', ({ cookies }) => {
    if (!cookies.session) return HttpResponse.json({ message: 'Sign in.' }, { status: 401 })
    return HttpResponse.json({ name: cookies.session })
  }),
  http.post<never, { name: string }>('/api/session', async ({ request }) => {
    const { name } = await request.json()
    return HttpResponse.json({ name }, { headers: { 'Set-Cookie': `session=${name}; Path=/` } })
  }),

  http.get('/api/notes', ({ request }) => {
    const cursor = Number(new URL(request.url).searchParams.get('cursor'))
    const end = cursor + pageSize
    return HttpResponse.json<NotePage>({
      notes: notes.slice(cursor, end),
      nextCursor: end < notes.length ? end : null,
    })
  }),
  http.post<never, { text: string }>('/api/notes', async ({ request }) => {
    const { text } = await request.json()
    if (text === '') return HttpResponse.json({ message: 'Write something.' }, { status: 422 })
    const note = { id: notes.length + 1, text, votes: 0 }
    notes.unshift(note)
    return HttpResponse.json(note, { status: 201 })
  }),
  http.post<{ id: string }>('/api/notes/:id/votes', ({ params }) => {
    const note = notes.find(({ id }) => id === Number(params.id))
    if (!note) return HttpResponse.json({ message: 'The note is gone.' }, { status: 404 })
    note.votes += 1
    return HttpResponse.json(note)
  }),

  http.post('/api/pictures', async ({ request }) => {
    const picture = (await request.formData()).get('picture') as File
    return HttpResponse.json({ name: picture.name, size: picture.size })
  }),

  http.get('/api/news', () => {
    const stream = new ReadableStream<Uint8Array>({
      async start(controller) {
        for (const piece of ['The ', 'hose ', 'leaks.']) {
          controller.enqueue(new TextEncoder().encode(piece))
          await delay(20)
        }
        controller.close()
      },
    })
    return new HttpResponse(stream, { headers: { 'Content-Type': 'text/plain' } })
  }),
]
