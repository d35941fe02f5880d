import type { LoggedRequest, RequestDetails } from '@understudy/engine/inspect'
import { expect, test } from 'vitest'

import type { PanelHost } from '../panel-host.ts'
import { toExchange } from './to-exchange.ts'

const request = { method: 'GET', url: 'https://app.test/api/users', status: 200, handler: null } as LoggedRequest
const host = { getState: () => null } as PanelHost
const withHeaders = (...response: [string, string][]): RequestDetails =>
  ({ headers: { request: [], response }, bodies: { request: null, response: null } }) as unknown as RequestDetails

test('the type of a body that the page has not sent yet is that of the headers, as the text may be edited before', () => {
  expect(toExchange(request, withHeaders(['Content-Type', 'application/json']), host)?.type).toBe('application/json')
  expect(toExchange(request, withHeaders(['X-Other', 'a']), host)?.type).toBe('')
})
