import { http, HttpResponse } from '@understudy/engine'

export const handlers = [
  http.get('/api/found', () => HttpResponse.json([{ id: 1, what: 'One umbrella' }])),
  http.post('/api/claims', async ({ request }) => {
    const name = (await request.formData()).get('name') as string
    if (name === '') return HttpResponse.json({ message: 'Say who you are.' }, { status: 422 })
    return HttpResponse.json({ message: `It waits for ${name}.` }, { status: 201 })
  }),
]
