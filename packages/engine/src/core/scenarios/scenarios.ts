import type { Handler } from '../handlers/request-handler.ts'

/**
 * Named lists of handlers, which a handlers module exports as `scenarios`. The handlers of an active scenario are asked
 * before those of `handlers`.
 *
 * @example
 * export const scenarios = {
 *   empty: [http.get('/api/users', () => HttpResponse.json([]))],
 *   'payment-fails': [http.post('/api/payments', () => new HttpResponse(null, { status: 402 }))],
 * }
 */
export type Scenarios = Readonly<Record<string, readonly Handler[]>>

/**
 * Tells TypeScript the names of your scenarios if it cannot infer them from an argument.
 *
 * @example
 * declare module '@understudy/engine/scenarios' {
 *   interface Register {
 *     scenarios: typeof import('./src/mocks/handlers.ts').scenarios
 *   }
 * }
 */
export interface Register {}

/** The names of the scenarios of {@link Register}; `string`, if they are not registered. */
export type ScenarioName = Register extends { readonly scenarios: infer Registered }
  ? keyof Registered & string
  : string

/** Switches between scenarios. */
export interface ScenarioControl<Name extends string = ScenarioName> {
  /**
   * Replaces the active scenarios. If several scenarios have a matching handler, the scenario that is named first
   * answers. Without a name, no scenario is active.
   *
   * @throws {UnderstudyError} if there is no scenario with this name. The message lists the names
   * @example
   * server.scenario('empty', 'slow')
   */
  scenario(...names: Name[]): void
}
