import { expect, test } from 'vitest'

import type { FloodBrowser } from './flood-browser.ts'
import { findFaults, isPossible, scenarios, type Scenario } from './scenarios.ts'
import type { FloodServer } from './serve-floods.ts'

/** Tests that no request is lost, escapes or gets the response of another one. A second attempt would hide a race. */
export function checkFloods(
  open: () => { browser: FloodBrowser; server: FloodServer },
  chosen: readonly Scenario[] = scenarios,
): void {
  test.for(chosen)('$name', { retry: 0 }, async (scenario, { skip }) => {
    const { browser, server } = open()
    skip(!isPossible(scenario, browser), `It needs: ${scenario.needs}.`)
    server.forget()
    const { tally, heapGrowth = {} } = await scenario.run(browser, server, scenario.short)
    const faults = findFaults(scenario, tally, server)
    expect(faults, tally.reasons.join('\n')).toEqual({ lost: 0, broken: 0, crossed: 0, escaped: [] })
    expect(tally.answered).toBeGreaterThan(0)
    expect(Math.max(0, ...Object.values(heapGrowth))).toBeLessThan(heapLimit)
  })
}

/** Bytes for each request. `npm run soak` measures a hundred thousand requests, where noise counts less. */
const heapLimit = 500
