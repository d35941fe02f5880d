import { expectTypeOf, test } from 'vitest'

import type { SetupWorker } from '../../browser/start/setup-worker.ts'
import { http } from '../../http/http.ts'
import type { Server } from '../../node/setup-server.ts'
import { HttpResponse } from '../responses/http-response.ts'
import type { ScenarioControl, ScenarioName } from '../scenarios/scenarios.ts'
import { withScenarios } from './with-scenarios.ts'

declare const server: Server
declare const worker: SetupWorker

const handler = http.get('/api/users', () => HttpResponse.json([]))
const scenarios = {
  empty: [handler],
  'payment-fails': [handler, http.post('/api/payments', () => undefined)],
  none: [],
}

test('the names are inferred', () => {
  const named = withScenarios(server, scenarios)
  expectTypeOf<Parameters<typeof named.scenario>[number]>().toEqualTypeOf<'empty' | 'payment-fails' | 'none'>()
  named.scenario()
  named.scenario('empty', 'payment-fails')
  // @ts-expect-error no scenario has this name
  named.scenario('emtpy')
  // @ts-expect-error names are separate arguments
  named.scenario(['empty'])
})

test('the server or the worker keeps its methods', () => {
  expectTypeOf(withScenarios(server, scenarios).listen).toEqualTypeOf<Server['listen']>()
  expectTypeOf(withScenarios(worker, scenarios).start).toEqualTypeOf<SetupWorker['start']>()
})

test('only lists of handlers are scenarios', () => {
  // @ts-expect-error a handler without a list
  withScenarios(server, { empty: handler })
  // @ts-expect-error not a handler
  withScenarios(server, { empty: ['/api/users'] })
  // @ts-expect-error a list without names
  withScenarios(server, [handler])
})

test('names that are not registered are any text', () => {
  expectTypeOf<ScenarioName>().toEqualTypeOf<string>()
  expectTypeOf<Parameters<ScenarioControl['scenario']>[number]>().toEqualTypeOf<string>()
})
