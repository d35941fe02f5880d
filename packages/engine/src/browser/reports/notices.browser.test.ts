import { afterEach, expect, inject, test, vi } from 'vitest'

import { HttpResponse } from '../../core/responses/http-response.ts'
import { graphql } from '../../graphql/graphql.ts'
import { setupWorker, type SetupWorker } from '../start/setup-worker.ts'

const upstream = inject('upstream')

let worker: SetupWorker | undefined
afterEach(() => {
  worker?.stop()
  vi.restoreAllMocks()
})

test('the warning about a GraphQL request to a wrong URL names the handler, also with a service worker', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  worker = setupWorker(graphql.link(`${upstream}/api/graphql`).query('GetUser', () => HttpResponse.json({ data: {} })))
  await worker.start({ quiet: true, onUnhandledRequest: 'warn' })
  const response = await fetch(`${upstream}/graphql`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ query: 'query GetUser { real }' }),
  })
  // The warning about the request does not change its response.
  expect(await response.json()).toEqual({ data: { real: 'data of the server' } })
  await expect
    .poll(() => String(warn.mock.lastCall))
    .toContain(`No handler matches query GetUser (POST ${upstream}/graphql)`)
  expect(String(warn.mock.lastCall)).toContain('endpoint differs')
})
