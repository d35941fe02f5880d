import { describe, expect, test } from 'vitest'

import type { Extent } from '../acceptance/build-tool.ts'
import { withFixture, type VitestUnderTest } from './with-fixture.ts'

/** Returns the number of the first line that contains a text. */
type LineOf = (part: string) => number

type Fault = [
  name: string,
  edit: (text: string) => string,
  message: RegExp,
  /** What the output contains: the place, or what to do. */
  placeOf: (lineOf: LineOf) => string,
]

/** The first ones are reported by Vitest. */
const faults: readonly Fault[] = [
  [
    'that throw',
    (text: string) => `${text}\nnull.property`,
    /Failed to load the handlers of src\/mocks\/handlers\.js: TypeError: Cannot read properties of null/,
    (lineOf: LineOf) => `❯ src/mocks/handlers.js:${lineOf('null.property')}:6`,
  ],
  [
    'that do not compile',
    (text: string) => text.replace('features: ', 'features = '),
    /Failed to load the handlers of src\/mocks\/handlers\.js: /,
    (lineOf: LineOf) => `src/mocks/handlers.js:${lineOf('  features = ')}:2`,
  ],
  [
    'that import a missing module',
    (text: string) => text.replace('./user.json', './usr.json'),
    /Failed to load the handlers of src\/mocks\/handlers\.js: .*\.\/usr\.json/,
    () => 'src/mocks/handlers.js',
  ],
  [
    'without the export "handlers"',
    (text: string) => text.replace('export const handlers', 'export const handler'),
    /Failed to read the handlers of src\/mocks\/handlers\.js: it exports (?:"\w+", )*"handler", but no handlers/,
    () => 'Export them: export const handlers',
  ],
]

/** Tests the options of the plugin and of Vitest, and messages about mistakes. */
export function testConfigurations(vitest: VitestUnderTest, extent: Extent = 'all'): void {
  const fixture = withFixture(vitest)
  const handlersFile = 'src/mocks/handlers.js'

  /** Runs with edited files, then restores them. */
  async function runWith(edits: Record<string, (text: string) => string>, ...args: string[]) {
    const { project } = fixture
    const texts = new Map<string, string>()
    for (const [file, edit] of Object.entries(edits)) {
      const text = await project.read(file)
      texts.set(file, text)
      await project.write(file, edit(text))
    }
    try {
      return await fixture.run('--project=node', ...args)
    } finally {
      for (const [file, text] of texts) await project.write(file, text)
    }
  }
  const withPlugin = (call: string) => ({
    'vitest.config.js': (text: string) => text.replace(/understudy\(\{.*\}\)/, `understudy(${call})`),
  })

  describe('broken handlers fail every test file, and nothing reaches the network', () => {
    test.each(faults.slice(0, extent === 'all' ? undefined : 2))('%s', async (_case, edit, message, placeOf) => {
      const lines = edit(await fixture.project.read(handlersFile)).split('\n')
      const place = placeOf((part) => lines.findIndex((line) => line.includes(part)) + 1)
      const { code, output, tests, messages } = await runWith({ [handlersFile]: edit }, 'everyday', 'policy')
      expect(code, output).toBe(1)
      expect(messages['specs/everyday.spec.js']).toMatch(message)
      expect(messages['specs/policy.spec.js']).toMatch(message)
      expect(output).toContain(place)
      expect(tests).toEqual({})
      expect(fixture.backend.requests).toEqual([])
    })

    if (extent === 'main') return

    test('that do not exist', async () => {
      const { code, output, tests } = await runWith(withPlugin(`{ handlers: 'src/mocks/handler.js' }`), 'policy')
      expect(code, output).toBe(1)
      expect(output).toContain('the file src/mocks/handler.js of the option "handlers" does not exist')
      expect(output).toContain('Did you mean "src/mocks/handlers.js"?')
      expect(tests).toEqual({})
      expect(fixture.backend.requests).toEqual([])
    })

    test('unknown options fail every test file, too', async () => {
      const { code, output, tests } = await runWith(withPlugin(`{ vitset: true }`), 'policy')
      expect(code, output).toBe(1)
      expect(output).toContain('there is no option "vitset". Did you mean "vitest"?')
      expect(tests).toEqual({})
    })
  })

  test.each(['{ enabled: false }', '{ vitest: false }'])('with %s, tests are not mocked', async (plugin) => {
    const { code, output } = await runWith(
      { ...withPlugin(plugin), 'specs/set-up.js': () => '', [handlersFile]: () => 'throw new Error()' },
      'policy',
    )
    expect(code, output).toBe(0)
    expect(output).toContain('node: 0 of ours')
    expect(fixture.backend.requests).toEqual(['GET /api/usr'])
  })

  test.each([
    ['threads', ['--pool=threads']],
    ['VM threads', ['--pool=vmThreads']],
    ['no isolation', ['--no-isolate', '--max-workers=1']],
    ['hooks in parallel, and tests in any order', ['--sequence.hooks=parallel', '--sequence.shuffle']],
  ])('it works with %s', async (_case, args) => {
    const { code, output } = await fixture.run('--project=node', '--project=jsdom', 'everyday', 'concurrent', ...args)
    expect(code, output).toBe(0)
    expect(fixture.backend.requests).toEqual([])
  })

  // What follows is code of the plugin, which is the same with each Vitest.
  if (extent === 'main') return

  test.each([
    ['list', 'export const handlers = []'],
    ['group', 'export const handlers = {}'],
  ])('an empty %s of handlers is legal: a request is unhandled, and its test fails', async (_form, text) => {
    // The setup file makes a request, too.
    const edits = { [handlersFile]: () => text, 'specs/set-up.js': () => '' }
    const { code, output, tests, messages } = await runWith(edits, 'policy')
    expect(code, output).toBe(1)
    expect(Object.values(tests), output).toEqual(['failed'])
    expect(Object.values(messages).join('\n')).toMatch(/No handler matches GET \S+\/api\/usr/)
    expect(fixture.backend.requests).toEqual([])
  })

  describe('unhandled requests', () => {
    test.each([
      ['are reported by default', '{}', 'passed', 1],
      ['fail the test, where the plugin has it so', `{ onUnhandledRequest: 'error' }`, 'failed', 0],
      [
        'reach the network in tests with that option for tests',
        `{ onUnhandledRequest: 'error', vitest: { onUnhandledRequest: 'bypass' } }`,
        'passed',
        1,
      ],
    ])('%s', async (_case, plugin, status, escaped) => {
      const { output, tests } = await runWith(withPlugin(plugin), 'policy')
      expect(Object.values(tests), output).toEqual([status])
      expect(fixture.backend.requests).toHaveLength(escaped)
      expect(/\[understudy\] No handler matches GET \S+usr/.test(output)).toBe(plugin === '{}')
    })

    test('fail the test if the function of the handlers module throws', async () => {
      const { output, tests, messages } = await runWith(
        {
          ...withPlugin('{}'),
          [handlersFile]: (text) =>
            `${text}\nexport function onUnhandledRequest({ url }) {\n  throw new Error('Unknown: ' + url)\n}\n`,
        },
        'policy',
      )
      expect(Object.values(tests), output).toEqual(['failed'])
      expect(Object.values(messages).join('')).toMatch(/Error: Unknown: \S+\/api\/usr/)
      expect(fixture.backend.requests).toEqual([])
    })
  })
}
