import { http, HttpResponse, ws } from '@understudy/engine'

import type { Buoy } from '../buoys.ts'

interface Context {
  (path: string): Buoy
  keys(): string[]
}
declare global {
  interface ImportMeta {
    webpackContext(folder: string, options: { regExp: RegExp }): Context
  }
}

/** One file for each buoy. A file that is added while the app runs answers the next request. */
const files = import.meta.webpackContext('./buoys', { regExp: /\.json$/ })
const buoys = files.keys().map(files)

const readings = ws.link('/api/readings')

export const handlers = [
  http.get('/api/buoys', () => HttpResponse.json(buoys)),

  http.put<never, { degrees: number }>('/api/alarm', async ({ request }) => {
    const { degrees } = await request.json()
    if (degrees > 40) return HttpResponse.json({ message: 'The sea never gets that warm.' }, { status: 422 })
    return HttpResponse.json({ message: `We call above ${degrees} °C.` })
  }),

  readings.addEventListener('connection', ({ client }) => {
    client.send(JSON.stringify({ id: 'mole', temperature: 15.1 }))
  }),
]
