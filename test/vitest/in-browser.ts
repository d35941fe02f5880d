import { expect, test } from 'vitest'

import { withFixture, type VitestUnderTest } from './with-fixture.ts'

/** Tests Vitest's browser mode. */
export function testInBrowser(vitest: VitestUnderTest): void {
  const fixture = withFixture(vitest)
  const inBrowser = '--config=vitest.browser.config.js'

  test.each([
    ['the page, beside a service worker', '', 0],
    ['a service worker', ", answer: 'worker'", 1],
  ])('%s answers in browser mode, and each test starts with the initial handlers', async (_who, option, leaving) => {
    const { project } = fixture
    const policy = "onUnhandledRequest: 'error'"
    await project.edit('vitest.browser.config.js', policy, policy + option)
    const { code, output, tests } = await fixture.run(inBrowser, 'everyday', 'browser.spec', 'browser-answer')
    await project.edit('vitest.browser.config.js', policy + option, policy)
    expect(code, output).toBe(0)
    expect(output).toContain(`requests that left the page: ${leaving}`)
    expect(Object.keys(tests).filter((name) => name.startsWith('browser '))).toHaveLength(18)
    expect(Object.values(tests)).toEqual(Array.from({ length: 22 }, () => 'passed'))
    expect(output).not.toMatch(/reload|optimized/)
    expect(fixture.backend.requests).toEqual([])
  })

  test('without a service worker, requests are answered in the page', async () => {
    await fixture.project.edit(
      'vitest.browser.config.js',
      'playwright({',
      "playwright({ contextOptions: { serviceWorkers: 'block' },",
    )
    const { code, output } = await fixture.run(inBrowser, 'everyday')
    expect(code, output).toBe(0)
    expect(output).toContain('Mocking is on, in the page itself')
    expect(fixture.backend.requests).toEqual([])
    await fixture.project.edit('vitest.browser.config.js', "contextOptions: { serviceWorkers: 'block' },", '')
  })

  test('the plugin’s policy and handlers for any host do not apply to the setup file', async () => {
    const { project } = fixture
    const [inTests, everywhere] = ["vitest: { onUnhandledRequest: 'error' }", "onUnhandledRequest: 'error'"]
    const [mocked, ofAnyHost] = ["http.post('*/api/orders'", "http.get('*/api/x', () => {}), http.post('*/api/orders'"]
    await project.edit('vitest.browser.config.js', inTests, everywhere)
    await project.edit('src/mocks/features/orders.js', mocked, ofAnyHost)
    // The service worker, which the first file installs, controls the page of the second one from its first request on.
    const { code, output, tests } = await fixture.run(inBrowser, 'specs/file-', '--no-file-parallelism')
    await project.edit('vitest.browser.config.js', everywhere, inTests)
    await project.edit('src/mocks/features/orders.js', ofAnyHost, mocked)
    expect(code, output).toBe(0)
    expect(output).not.toContain('No handler matches')
    expect(Object.values(tests)).toEqual(['passed', 'passed', 'passed', 'passed'])
  })

  test('module mocks work with a service worker', async () => {
    const { code, output, tests } = await fixture.run(inBrowser, 'module-mocks')
    expect(code, output).toBe(0)
    expect(Object.values(tests)).toEqual(['passed', 'passed', 'passed', 'passed'])
    expect(fixture.backend.requests).toEqual([])
  })

  test.each([
    ['each file in a separate page', []],
    ['one file after the other, as with a visible browser', ['--no-file-parallelism']],
    ['without isolation', ['--no-file-parallelism', '--no-isolate']],
  ])('no state of the first file remains in the second: %s', async (_case, args) => {
    const { code, output, tests } = await fixture.run(inBrowser, 'specs/file-', ...args)
    expect(code, output).toBe(0)
    expect(Object.values(tests)).toEqual(['passed', 'passed', 'passed', 'passed'])
    expect(fixture.backend.requests).toEqual([])
  })

  test('an unhandled request fails the test that made it; of concurrent ones, the file', async () => {
    const { code, output, tests, messages } = await fixture.run(inBrowser, 'browser-unhandled')
    expect(code, output).toBe(1)
    expect(tests).toEqual({
      'good before': 'passed',
      'bad: swallowed': 'failed',
      'bad: not waited for': 'failed',
      'good after': 'passed',
      'concurrent one': 'passed',
      'concurrent another': 'passed',
    })
    expect(messages['bad: swallowed']).toMatch(/No handler matches GET \S+\/api\/usr/)
    expect(messages['bad: not waited for']).toMatch(/No handler matches GET \S+\/api\/forgotten/)
    expect(messages['specs/browser-unhandled.spec.js']).toMatch(
      /one of the concurrent tests made it, and Understudy cannot tell which: "concurrent > one", "concurrent > another"/,
    )
    expect(fixture.backend.requests).toEqual([])
  })

  test.each([
    ['the page', ''],
    ['a service worker', ", answer: 'worker'"],
  ])(
    'an unhandled request shows the line that made it, and the nearest handler below: %s answers',
    async (_who, option) => {
      const { project } = fixture
      const policy = "onUnhandledRequest: 'error'"
      await project.edit('vitest.browser.config.js', policy, policy + option)
      const { output, tests } = await fixture.run(inBrowser, 'browser-lines')
      await project.edit('vitest.browser.config.js', policy + option, policy)
      const text = await project.read('specs/browser-lines.spec.ts')
      const lineOf = (code: string): string => {
        const before = text.slice(0, text.indexOf(code)).split('\n')
        return `specs/browser-lines.spec.ts:${before.length}`
      }
      const failures = output.split(' FAIL ')
      const placesIn = (name: string): string[] => {
        const failure = failures.findLast((part) => part.includes(`> ${name}\n`)) ?? ''
        return Array.from(failure.matchAll(/^ ❯ (?:\S+ )?(\S+:\d+):\d+$/gm), ([, found = '']) => found)
      }
      const nearest = expect.stringMatching(/^src\/mocks\/handlers\.js:\d+$/)
      expect(placesIn('bad: by a helper')).toEqual([lineOf('fetch(api + path)'), lineOf("ask('/api/usr')"), nearest])
      expect(placesIn('bad: after another request').slice(0, 1)).toEqual([lineOf("fetch(new URL('/api/later'")])
      expect(placesIn('bad: the same URL, after a handler').slice(0, 1)).toEqual([lineOf("{ priority: 'low' }")])
      expect(placesIn('bad: while the handlers change').slice(0, 1)).toEqual([lineOf('fetch(`${api}/api/held`)')])
      expect(placesIn('bad: by XMLHttpRequest').slice(0, 1)).toEqual([lineOf('sent.send()')])
      expect(placesIn('bad: a Request').slice(0, 1)).toEqual([lineOf('fetch(new Request(')])
      // A position in a generated module would contradict the frame.
      expect(output).not.toMatch(/ at http:/)
      expect(Object.keys(tests)).toHaveLength(6)
      expect(new Set(Object.values(tests))).toEqual(new Set(['failed']))
      expect(fixture.backend.requests).toEqual([])
    },
  )
}
