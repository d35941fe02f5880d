import assert from 'node:assert/strict'
import { test } from 'node:test'

import { delay, http, HttpResponse } from 'msw'

import { readForecast, readMeasurements } from './forecasts.ts'
import { server } from './mocks/server.ts'

const forecast = 'https://forecasts.example.com/v1/forecast'

test('reads a forecast', async () => {
  assert.deepEqual(await readForecast('Rome'), { city: 'Rome', celsius: 21 })
})

test('reports an unknown city', async () => {
  await assert.rejects(readForecast('Atlantis'), { message: 'The provider answers 404: no such city' })
})

test('asks once more while the provider is busy', async () => {
  const attempts: (string | null)[] = []
  server.events.on('request:start', ({ request }) => void attempts.push(request.headers.get('x-attempt')))
  server.use(http.get(forecast, () => new HttpResponse(null, { status: 503 }), { once: true }))
  assert.equal((await readForecast('Rome')).celsius, 21)
  assert.deepEqual(attempts, ['1', '2'])
})

test('gives each answer of a generator in turn', async () => {
  server.use(
    http.get(forecast, function* () {
      let celsius = 10
      while (celsius < 12) {
        yield HttpResponse.json({ city: 'Rome', celsius })
        celsius += 1
      }
      return HttpResponse.json({ city: 'Rome', celsius: 0 })
    }),
  )
  const read: number[] = []
  for (let index = 0; index < 4; index += 1) read.push((await readForecast('Rome')).celsius)
  assert.deepEqual(read, [10, 11, 0, 0])
})

test('fails when the provider cannot be reached', async () => {
  server.use(http.get(forecast, () => HttpResponse.error()))
  await assert.rejects(readForecast('Rome'), TypeError)
})

test('stops waiting when its caller aborts', async () => {
  server.use(
    http.get(forecast, async () => {
      await delay('infinite')
      return HttpResponse.json({})
    }),
  )
  await assert.rejects(readForecast('Rome', AbortSignal.timeout(20)), { name: 'TimeoutError' })
})

test('reads measurements as they arrive', async () => {
  const read: number[] = []
  for await (const { celsius } of readMeasurements('2026-01-01')) read.push(celsius)
  assert.deepEqual(read, [2, 4, 6])
})

test('a request that no handler matches fails', async () => {
  await assert.rejects(fetch('https://forecasts.example.com/v2/unknown'))
})
