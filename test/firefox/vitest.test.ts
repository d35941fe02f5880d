/**
 * Tests Vitest's browser mode in Firefox. Vitest's providers do not support an installed Firefox, so a provider of the
 * fixture opens the page.
 */
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'

import { createProject } from '../acceptance/project.ts'
import type { TestBrowser, TestVisit } from '../acceptance/test-browser.ts'
import { runVitest, vitest5, type VitestRun } from '../vitest/run-vitest.ts'
import { withFixture } from '../vitest/with-fixture.ts'
import { inFirefox } from './firefox.ts'

inFirefox((driver) => {
  const fixture = withFixture({ cli: vitest5, createFixture: () => createProject('test/fixtures/vitest') })
  let browser: TestBrowser
  let opener: Server
  let visit: TestVisit | undefined

  beforeAll(async () => {
    browser = await driver.launch()
    opener = createServer((request, response) => {
      let url = ''
      request.setEncoding('utf8').on('data', (chunk: string) => (url += chunk))
      request.on('end', () => {
        void browser.openVisit().then(async (opened) => {
          visit = opened
          await opened.page.goto(url)
        })
        response.end()
      })
    }).listen(0, '127.0.0.1')
    await once(opener, 'listening')
  })
  afterAll(async () => {
    opener.close()
    await browser.close()
  })

  // An open page would connect to the server of the next run.
  afterEach(async () => {
    await visit?.close()
    visit = undefined
  })

  function run(...args: string[]): Promise<VitestRun> {
    const { port } = opener.address() as AddressInfo
    const env = { OPEN_PAGE: `http://127.0.0.1:${port}` }
    const { project, backend } = fixture
    return runVitest(project, ['--config=vitest.page.config.js', ...args], { cli: vitest5, api: backend.origin, env })
  }

  test('no state of the first file remains in the second, each in a separate page', async () => {
    const { code, output, tests } = await run('specs/file-')
    expect(code, output).toBe(0)
    expect(Object.values(tests)).toEqual(['passed', 'passed', 'passed', 'passed'])
    expect(fixture.backend.requests).toEqual([])
  })

  test('the page answers beside a service worker, each test begins with the handlers of the module, and modules are mocked', async () => {
    const { code, output, tests } = await run('everyday', 'browser.spec', 'module-mocks')
    expect(code, output).toBe(0)
    expect(new Set(Object.values(tests))).toEqual(new Set(['passed']))
    expect(Object.keys(tests)).toHaveLength(25)
    expect(fixture.backend.requests).toEqual([])
  })
})
