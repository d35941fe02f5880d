/** Edits of handlers under load, in Vite. `npm run soak` makes more of them. */
import type { Browser } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { launchBrowser } from '../acceptance/browser.ts'
import { floodEdits } from './edits.ts'

let browser: Browser
beforeAll(async () => {
  browser = await launchBrowser()
})
afterAll(() => browser.close())

test(
  'edits of handlers under load lose no request, and no response is older than the previous response',
  { retry: 0 },
  async () => {
    const { tally, escaped, applied, loads } = await floodEdits(browser, 5)
    const { answered, made, reasons, ...faults } = tally
    expect({ ...faults, escaped }, reasons.join('\n')).toEqual({ lost: 0, broken: 0, crossed: 0, escaped: [] })
    expect(answered).toBe(made)
    expect(answered).toBeGreaterThan(0)
    expect({ applied, loads }).toEqual({ applied: 5, loads: 1 })
  },
)
