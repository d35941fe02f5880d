import { delay, http, HttpResponse, sse, ws } from '@understudy/engine'

const api = 'https://api.example'
const echo = ws.link('wss://api.example/echo')

export const handlers = [
  http.get(`${api}/price`, () => HttpResponse.json({ price: 7 })),
  http.post(`${api}/orders`, async ({ request }) => HttpResponse.json(await request.json(), { status: 201 })),
  http.get(`${api}/moved`, () => HttpResponse.redirect(`${api}/price`)),
  http.get(`${api}/slow`, () => delay('infinite')),
  http.get(`${api}/down`, () => HttpResponse.error({ code: 'ECONNREFUSED' })),
  http.get(`${api}/unreachable`, () => HttpResponse.error()),
  http.get(`${api}/parts`, () => new HttpResponse(new Blob(['one ', 'two']).stream())),
  sse(`${api}/events`, ({ client }) => client.send({ data: 'mocked' })),
  echo.addEventListener('connection', ({ client }) => {
    client.addEventListener('message', ({ data }) => client.send(data))
  }),
]
