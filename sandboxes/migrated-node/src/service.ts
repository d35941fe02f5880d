import { createServer, type Server } from 'node:http'

import { raiseAlert } from './alerts.ts'
import { readForecast } from './forecasts.ts'

/** The service itself: `GET /weather/:city`. It raises an alert when it is cold. */
export function createService(): Server {
  return createServer((request, response) => {
    const city = decodeURIComponent(request.url!.split('/')[2] ?? '')
    void (async () => {
      try {
        const { celsius } = await readForecast(city)
        const alert = celsius < 0 ? await raiseAlert(city) : undefined
        response.setHeader('Content-Type', 'application/json').end(JSON.stringify({ city, celsius, alert }))
      } catch (error) {
        response.writeHead(502).end((error as Error).message)
      }
    })()
  })
}
