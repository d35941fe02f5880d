import { delay, http, HttpResponse } from 'msw'
import { graphql } from 'msw/graphql'

import type { Alert } from '../alerts.ts'
import type { Station } from '../stations.ts'

const stations = new Map<string, Station>()

export function resetStations(): void {
  stations.clear()
  stations.set('s1', { id: 's1', name: 'Harbour' })
  stations.set('s2', { id: 's2', name: 'Airport' })
}
resetStations()

const celsius: Record<string, number> = { Oslo: -4, Rome: 21 }
const alerts = graphql.link('https://alerts.example.com/graphql')

export const handlers = [
  http.get('https://forecasts.example.com/v1/forecast', ({ request }) => {
    const city = new URL(request.url).searchParams.get('city') ?? ''
    if (!(city in celsius)) return new HttpResponse('no such city', { status: 404 })
    return HttpResponse.json({ city, celsius: celsius[city] })
  }),

  http.get('https://forecasts.example.com/v1/days/:day', () => {
    const lines = [1, 2, 3].map((hour) => `${JSON.stringify({ hour, celsius: hour * 2 })}\n`)
    const stream = new ReadableStream<Uint8Array>({
      async start(controller) {
        for (const line of lines) {
          controller.enqueue(new TextEncoder().encode(line))
          await delay(5)
        }
        controller.close()
      },
    })
    return new HttpResponse(stream, { headers: { 'Content-Type': 'application/x-ndjson' } })
  }),

  http.get('https://stations.example.com/stations', ({ request }) => {
    const page = Number(new URL(request.url).searchParams.get('page'))
    return HttpResponse.json(page === 1 ? [...stations.values()] : [])
  }),

  http.post<never, { name: string }>('https://stations.example.com/stations', async ({ request }) => {
    const { name } = await request.json()
    if (name === '') return HttpResponse.json({ message: 'A station needs a name.' }, { status: 422 })
    const station = { id: `s${stations.size + 1}`, name }
    stations.set(station.id, station)
    return HttpResponse.json(station, { status: 201 })
  }),

  http.delete<{ id: string }>('https://stations.example.com/stations/:id', ({ params }) => {
    return new HttpResponse(null, { status: stations.delete(params.id) ? 204 : 404 })
  }),

  http.get('https://stations.example.com/stations/:id/image', ({ params }) => {
    return HttpResponse.redirect(`https://stations.example.com/images/${String(params.id)}.png`)
  }),
  http.get('https://stations.example.com/images/:file', () => {
    return HttpResponse.arrayBuffer(new Uint8Array([137, 80, 78, 71]).buffer, {
      headers: { 'Content-Type': 'image/png' },
    })
  }),

  http.post('https://stations.example.com/uploads', async ({ request }) => {
    const form = await request.formData()
    const file = form.get('file') as File
    return HttpResponse.json({ station: form.get('station'), name: file.name, text: await file.text() })
  }),

  http.post<never, { key: string }>('https://stations.example.com/session', async ({ request }) => {
    const { key } = await request.json()
    return new HttpResponse(null, { headers: { 'Set-Cookie': `key=${key}; Path=/; HttpOnly` } })
  }),
  http.get('https://stations.example.com/secret', ({ cookies }) => HttpResponse.text(`opened by ${cookies.key}`)),

  alerts.query<{ alerts: Alert[] }, { level: string }>('ListAlerts', ({ variables }) => {
    return HttpResponse.json({ data: { alerts: [{ city: 'Oslo', level: variables.level }] } })
  }),
  alerts.mutation<{ raiseAlert: Alert }, { input: Alert }>('RaiseAlert', ({ variables }) => {
    return HttpResponse.json({ data: { raiseAlert: variables.input } })
  }),
]
