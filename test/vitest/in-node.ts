import { describe, expect, test } from 'vitest'

import { withFixture, type VitestUnderTest } from './with-fixture.ts'

/** Tests that run in Node, jsdom and happy-dom. */
export function testInNode(vitest: VitestUnderTest): void {
  const fixture = withFixture(vitest)

  test('handlers answer without a setup file, in three projects, and each test starts with the initial handlers', async () => {
    const { code, output, tests } = await fixture.run('everyday')
    expect(code, output).toBe(0)
    expect(fixture.backend.requests).toEqual([])
    for (const world of ['node', 'jsdom', 'happy-dom']) {
      expect(output).toContain(`${world}: 1 of ours, first: true`)
      const names = Object.keys(tests).filter((name) => name.startsWith(`${world} `) && tests[name] === 'passed')
      expect(names.length).toBeGreaterThanOrEqual(16)
    }
  })

  test('concurrent tests have their own handlers, requests and listeners', async () => {
    const { code, output, tests } = await fixture.run('concurrent', '--project=node')
    expect(code, output).toBe(0)
    expect(Object.keys(tests)).toHaveLength(12)
    expect(fixture.backend.requests).toEqual([])
  })

  test('each test has its own scenario, and a failure names it', async () => {
    const { code, output, tests, messages } = await fixture.run('scenarios', '--project=node', '--project=jsdom')
    expect(code, output).toBe(1)
    const failed = Object.keys(tests).filter((name) => tests[name] === 'failed')
    expect(failed, output).toEqual(['bad: an unhandled request'])
    expect(Object.keys(tests)).toHaveLength(11)
    expect(messages['bad: an unhandled request']).toContain('Active scenarios: signed-out, empty.')
    expect(fixture.backend.requests).toEqual([])
  })

  test('each test starts with the initial state, and one whose state cannot be reset fails', async () => {
    const { code, output, tests, messages } = await fixture.run('specs/state', '--project=node', '--project=jsdom')
    expect(code, output).toBe(1)
    const failed = Object.keys(tests).filter((name) => tests[name] === 'failed')
    expect(failed, output).toEqual(['bad: a state that cannot be reset'])
    expect(Object.keys(tests)).toHaveLength(3)
    expect(messages['bad: a state that cannot be reset']).toContain(
      'Failed to reset the state "visits" after a test: too many visits. Correct its function reset(). (US0830)',
    )
  })

  describe('an unhandled request', () => {
    test('fails the test that made it, and no other', async () => {
      const { code, output, tests, messages } = await fixture.run('specs/unhandled', '--project=node')
      expect(code, output).toBe(1)
      const failed = Object.keys(tests).filter((name) => tests[name] === 'failed')
      expect(failed.toSorted()).toEqual(
        Object.keys(tests)
          .filter((name) => name.includes('bad:'))
          .toSorted(),
      )
      expect(failed).toHaveLength(8)
      expect(fixture.backend.requests).toEqual(['GET /logo.svg', 'GET /api/real'])

      const messageOf = (path: string): RegExp => new RegExp(`No handler matches GET \\S+${path}\\b`)
      expect(messages['bad: swallowed']).toMatch(messageOf('/api/usr'))
      expect(messages['bad: swallowed']).toMatch(
        /near: GET \S+\/api\/user: segment 2 differs: `user` expected, `usr` sent/,
      )
      expect(messages['bad: swallowed']).toContain('It fails the test because "onUnhandledRequest" is "error".')
      expect(messages['bad: asked twice, and for two']).toContain('Failed to answer 2 requests')
      expect(messages['bad: asked twice, and for two']).toMatch(messageOf('/api/two'))
      expect(messages['concurrent bad: the second']).toMatch(messageOf('/api/second'))
      expect(messages['concurrent bad: the fourth, by http']).toMatch(messageOf('/api/fourth'))
      expect(messages['a back end under test bad: its own requests are not']).toMatch(messageOf('/api/not-upstream'))
    })

    test('shows the line that made it, and the nearest handler below', async () => {
      const { output } = await fixture.run('specs/unhandled', '--project=node')
      const text = await fixture.project.read('specs/unhandled.spec.js')
      const place = (code: string): string => {
        const before = text.slice(0, text.indexOf(code)).split('\n')
        return `specs/unhandled.spec.js:${before.length}:${(before.at(-1)?.length ?? 0) + 1}`
      }
      const failures = output.split(' FAIL ')
      const placesIn = (name: string): string[] => {
        const failure = failures.findLast((part) => part.includes(`> ${name}\n`)) ?? ''
        return Array.from(failure.matchAll(/^ ❯ (?:\S+ )?(\S+:\d+:\d+)$/gm), ([, found = '']) => found)
      }
      const ask = place('fetch(api + path)')
      const [nearest = ''] = placesIn('bad: swallowed').slice(-1)
      expect(nearest).toMatch(/^src\/mocks\/handlers\.js:\d+:\d+$/)
      expect(placesIn('bad: swallowed')).toEqual([ask, place("ask('/api/usr')"), nearest])
      expect(placesIn('bad: thrown')).toEqual([place('fetch(`${api}/api/thrown`)')])
      expect(placesIn('bad: asked twice, and for two').slice(0, 4)).toEqual([
        ask,
        place("ask('/api/one')"),
        ask,
        place("ask('/api/two')"),
      ])
      expect(placesIn('bad: by http').at(-1)).toBe(place("askByHttp('/api/by-http')"))
      expect(placesIn('concurrent > bad: the second')).toEqual([ask, place("ask('/api/second')")])
    })

    test('fails the file if it belongs to no test, or comes too late', async () => {
      const { code, output, tests, messages } = await fixture.run('outside', '--project=node')
      expect(code, output).toBe(1)
      expect(new Set(Object.values(tests))).toEqual(new Set(['passed']))
      expect(messages['specs/outside.spec.js']).toContain('Failed to answer 2 requests')
      expect(messages['specs/outside.spec.js']).toMatch(/No handler matches GET \S+\/api\/before-all/)
      expect(messages['specs/outside.spec.js']).toMatch(/the test "one that ends too early" had ended when it came/)
      expect(fixture.backend.requests).toEqual([])
    })
  })
}
