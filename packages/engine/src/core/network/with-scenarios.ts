import { ScenarioSwitch } from '../scenarios/scenario-switch.ts'
import type { ScenarioControl, Scenarios } from '../scenarios/scenarios.ts'
import type { HandlersControl } from './network.ts'

/**
 * Adds scenarios to what `setupServer()` or `setupWorker()` returned. `resetHandlers()` of the result also ends the
 * active scenarios.
 *
 * @returns the server or the worker with the method `scenario()`, which takes only the names of these scenarios
 * @throws {UnderstudyError} if the scenarios are not a record of named arrays of handlers
 * @example
 * const server = withScenarios(setupServer(...handlers), scenarios)
 * server.listen()
 * server.scenario('empty')
 */
export function withScenarios<Mocked extends HandlersControl, const Named extends Scenarios>(
  mocked: Mocked,
  scenarios: Named,
): Mocked & ScenarioControl<keyof Named & string> {
  const network = mocked['~network']
  const control = new ScenarioSwitch(network)
  control.take('argument', scenarios, 'withScenarios()')
  network.scenarios = control
  return {
    ...mocked,
    scenario: (...names) => control.activate(names),
    resetHandlers(...handlers) {
      mocked.resetHandlers(...handlers)
      control.activate([])
    },
  }
}
