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
}
