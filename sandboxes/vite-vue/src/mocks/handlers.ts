import { http, HttpResponse } from '@understudy/engine'

interface Cue {
  id: number
  text: string
  isDone: boolean
}

const cues: Cue[] = [
  { id: 1, text: 'House lights down', isDone: true },
  { id: 2, text: 'Thunder', isDone: false },
]

export const handlers = [
  http.get('/api/show', () => HttpResponse.json({ title: 'The Tempest' })),
  http.get('/api/cues', () => HttpResponse.json(cues)),
  http.post('/api/cues/:id/done', ({ params }) => {
    const cue = cues.find(({ id }) => id === Number(params.id))
    if (!cue) return new HttpResponse(null, { status: 404 })
    cue.isDone = true
    return HttpResponse.json(cue)
  }),
]
