/** What an app in Firefox sees of mocked responses, compared with the same bytes of a real server. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { findUnexplained, readPage, type Comparison, type Differences } from '../fidelity/describe-fidelity.ts'
import { serveFidelity, type FidelityServer } from '../fidelity/server.ts'
import { findFirefox } from '../find-firefox.ts'
import { launchFirefox, type Firefox } from './firefox.ts'

const command = findFirefox()

describe.skipIf(command === undefined)('Firefox', () => {
  let server: FidelityServer
  let firefox: Firefox
  let comparison: Comparison

  beforeAll(async () => {
    ;[server, firefox] = await Promise.all([serveFidelity(), launchFirefox(command ?? '')])
    const compare = async (isInPage: boolean): Promise<Differences> => {
      const tab = await firefox.open(server.origin)
      await tab.evaluate(`start(${isInPage}).then(() => '')`)
      const differences = await tab.evaluate('compare().then(JSON.stringify)')
      await tab.close()
      return JSON.parse(differences ?? '{}') as Differences
    }
    comparison = {
      browser: 'Firefox',
      differences: { 'service worker': await compare(false), page: await compare(true) },
    }
  })
  afterAll(() => Promise.all([server.close(), firefox.close()]))

  test('every difference has a reason, and every reason a difference', () => {
    expect(Object.keys(comparison.differences.page).length).toBeGreaterThan(80)
    expect(findUnexplained(comparison)).toEqual([])
  })

  test('the table in the documentation is up to date', async () => {
    const { actual, expected } = await readPage(comparison)
    expect(actual).toBe(expected)
  })
})
