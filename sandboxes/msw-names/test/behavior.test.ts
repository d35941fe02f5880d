/**
 * MSW 2, MSW 3 and Understudy run the same scenarios. The outcome of Understudy equals that of one of the two, or a row of
 * the migration guide's table "What differs" describes it.
 */
import { execFile } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { beforeAll, describe, expect, test } from 'vitest'

import { runInChromium } from './run-in-chromium.ts'

const run = promisify(execFile)
const sandbox = join(import.meta.dirname, '..')
const guide = join(import.meta.dirname, '../../../docs/migrating-from-msw.md')

/** The scenarios with different outcomes, by their row in the guide. */
const differences: Record<string, readonly string[]> = {
  'Events of requests that fail': ['events of a request that fails as unhandled', 'events of a resolver that throws'],
  'A listener that throws': ['a listener that throws'],
  'A listener that reads a body': ['listeners read bodies that resolver and client read as well'],
  '`finalize`': ['finalize runs before the client has read the response'],
  '`onUnhandledRequest` throws': ['strategy throws', 'strategy rejects'],
  'An unknown strategy': ['an unknown strategy'],
  'Lists of handlers': ['setupServer with an array'],
  '`listHandlers()`': ['a list of handlers'],
  '`info.callFrame` of a handler': ['where a handler was created'],
  'Several servers': ['two servers, the later one first'],
  '`getResponse()`': ['getResponse'],
  '`Content-Length`': ['xml', 'html'],
  Statuses: ['status 600'],
  'A resolver returns no response, and no other handler answers': ['a handler that returns nothing is handled'],
  'A resolver that throws': ['the status text of a thrown error'],
  'Mistakes in a resolver': ['a returned object that is not a response', 'one response for every request'],
  'The request': ['the request in a resolver'],
  'Cookies by `credentials`': ['cookies of a response, by credentials'],
  'Network errors': ['node:http and a network error'],
  'Text of event streams': ['server-sent events', 'the response to fetch'],
  '`EventSource` in Node': [
    'messages',
    'messages that come later',
    'client.close() ends the stream',
    'parameters, cookies and the request',
    'several lines',
    'dispatchEvent',
  ],
  'Regular expressions': ['paths that are regular expressions'],
  'A body that is aborted while it is read': ['an abort while the body is read'],
  'Closing a WebSocket': [
    'the app closes without a code',
    'client.close()',
    'client.close() with a code',
    'client.close() after a message',
  ],
  'Unhandled WebSockets': ['an unhandled connection, strategy error'],
  'Binary messages': ['binary messages'],
  '`document.cookie`': [
    'document.cookie, another origin, credentials: include',
    'document.cookie, another origin, credentials: same-origin',
  ],
  Messages: ['quiet: false'],
}

/** The scenarios that need a page. */
const inChromium = 'in Chromium'

/** The rows that a comparison in Node cannot test, with the file that tests Understudy's behavior. */
const testedElsewhere: Record<string, string> = {
  'Statuses 204, 205 and 304': 'packages/engine/src/rest/rest.test.ts',
  'Classes of handlers': 'packages/engine/src/http/http-handler.node.test.ts',
  'Classes that extend `RequestHandler`': 'packages/engine/src/core/handlers/custom-handler.test.ts',
  undici: 'packages/engine/src/node/sockets/mocked-response.node.test.ts',
  '`getResponse()` and `passthrough()`': 'packages/engine/src/core/network/get-response.test.ts',
  'A generator that throws a response': 'packages/engine/src/core/handlers/run-resolver.test.ts',
  'Common assets': 'packages/engine/src/core/unhandled/is-common-asset-request.test.ts',
}

/** The rows whose scenarios equal one of the two versions of MSW. */
const equalToOne = ['`HEAD`', "Unhandled requests and `'error'`", '`waitUntilReady`']

/** The rows without a test. */
const untested = [
  '`x-powered-by: msw`',
  '`worker.start()` without service workers',
  'React Native',
  '`defineNetwork` and sources',
]

type Outcomes = Record<string, unknown>

async function runScenarios(library: string, file: string): Promise<Outcomes> {
  if (file === inChromium) return runInChromium(library)
  // MSW has no server-sent events in Node without the class.
  const args = ['--experimental-eventsource', '--no-warnings', 'src/run-scenarios.js', library, file]
  const { stdout } = await run(process.execPath, args, { cwd: sandbox, timeout: 110_000, maxBuffer: Infinity })
  return JSON.parse(stdout) as Outcomes
}

let guideText: string
beforeAll(async () => {
  const markdown = await readFile(guide, 'utf8')
  guideText = markdown.slice(markdown.indexOf('## What differs'), markdown.indexOf('## Every name'))
})

const known = new Set(Object.values(differences).flat())
const met = new Set<string>()

describe.each([...readdirSync(join(sandbox, 'src/scenarios')), inChromium])('%s', (file) => {
  let ours: Outcomes
  let theirs: Outcomes[]
  beforeAll(async () => {
    ours = await runScenarios('@understudy/msw', file)
    theirs = [await runScenarios('msw-2', file), await runScenarios('msw-3', file)]
  })

  test('the outcome equals that of MSW, except for the rows of the guide', () => {
    expect(Object.keys(ours).length).toBeGreaterThan(5)
    expect(theirs.map((outcomes) => Object.keys(outcomes))).toEqual([Object.keys(ours), Object.keys(ours)])
    for (const [name, outcome] of Object.entries(ours)) {
      if (known.has(name)) {
        met.add(name)
        continue
      }
      expect.soft([theirs[0]?.[name], theirs[1]?.[name]], name).toContainEqual(outcome)
    }
  })

  test('the outcomes of the guide’s rows differ', () => {
    const equal = Object.entries(ours).filter(([name, outcome]) =>
      theirs.some((outcomes) => JSON.stringify(outcomes[name]) === JSON.stringify(outcome)),
    )
    expect(equal.map(([name]) => name).filter((name) => known.has(name))).toEqual([])
  })
})

test('every difference is a scenario, and has a row', () => {
  expect([...known].filter((name) => !met.has(name))).toEqual([])
  const rows = Array.from(guideText.matchAll(/^\| ([^|]+?) \|/gm), ([, title]) => title)
  expect(Object.keys(differences).filter((title) => !rows.includes(title))).toEqual([])
})

test('every row has a scenario, or a file that tests it', () => {
  const rows = Array.from(guideText.matchAll(/^\| ([^|]+?) \|/gm), ([, title = '']) => title).filter(Boolean)
  const listed = [...Object.keys(differences), ...Object.keys(testedElsewhere), ...equalToOne, ...untested]
  expect(rows.toSorted()).toEqual(listed.toSorted())
  for (const file of Object.values(testedElsewhere)) expect(existsSync(join(sandbox, '../..', file)), file).toBe(true)
})
