import { config } from './config.ts'

export interface Forecast {
  city: string
  celsius: number
}

/** Reads forecasts with fetch, with one more attempt when the provider is busy. */
export async function readForecast(city: string, signal?: AbortSignal): Promise<Forecast> {
  for (let attempt = 1; ; attempt += 1) {
    const url = `${config.forecasts}/forecast?city=${encodeURIComponent(city)}`
    const response = await fetch(url, { headers: { 'X-Attempt': String(attempt) }, signal })
    if (response.status === 503 && attempt < 3) continue
    if (!response.ok) throw new Error(`The provider answers ${response.status}: ${await response.text()}`)
    return (await response.json()) as Forecast
  }
}

/** Reads the measurements of a day line by line, as they arrive. */
export async function* readMeasurements(day: string): AsyncGenerator<{ hour: number; celsius: number }> {
  const response = await fetch(`${config.forecasts}/days/${day}`)
  let rest = ''
  for await (const text of response.body!.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + text).split('\n')
    rest = lines.pop()!
    for (const line of lines) yield JSON.parse(line) as { hour: number; celsius: number }
  }
}
