import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'

import { http, HttpResponse, passthrough } from 'msw'
import { graphql } from 'msw/graphql'

import { listAlerts } from './alerts.ts'
import { server } from './mocks/server.ts'
import { createService } from './service.ts'

const alerts = graphql.link('https://alerts.example.com/graphql')
const service = createService()
let origin = ''

before(async () => {
  service.listen(0, '127.0.0.1')
  await once(service, 'listening')
  origin = `http://127.0.0.1:${(service.address() as AddressInfo).port}`
})
after(() => service.close())

const ask = (path: string) => {
  server.use(http.get(`${origin}/*`, () => passthrough()))
  return fetch(origin + path)
}

describe('the service', () => {
  test('answers with the forecast', async () => {
    assert.deepEqual(await (await ask('/weather/Rome')).json(), { city: 'Rome', celsius: 21 })
  })

  test('raises an alert when it is cold', async () => {
    const answer = await (await ask('/weather/Oslo')).json()
    assert.deepEqual(answer, { city: 'Oslo', celsius: -4, alert: { city: 'Oslo', level: 'storm' } })
  })

  test('passes errors of GraphQL on', async () => {
    server.use(
      alerts.mutation('RaiseAlert', () => HttpResponse.json({ errors: [{ message: 'The siren is broken.' }] })),
    )
    const response = await ask('/weather/Oslo')
    assert.equal(response.status, 502)
    assert.equal(await response.text(), 'The siren is broken.')
  })

  test(
    'in a boundary, handlers are its own',
    server.boundary(async () => {
      server.use(alerts.query('ListAlerts', () => HttpResponse.json({ data: { alerts: [] } })))
      assert.deepEqual(await listAlerts('storm'), [])
    }),
  )
})

test('lists alerts of a level', async () => {
  assert.deepEqual(await listAlerts('storm'), [{ city: 'Oslo', level: 'storm' }])
})
