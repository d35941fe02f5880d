/**
 * MSW 2, MSW 3 and Understudy run the same scenarios. The outcome of Understudy equals that of one of the two, or a row of
 * the migration guide's table "What differs" describes it.
 */
import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { beforeAll, describe, expect, test } from 'vitest'

import { differences } from './guide-rows.ts'
import { runInChromium } from './run-in-chromium.ts'

const run = promisify(execFile)
const sandbox = join(import.meta.dirname, '..')
const guide = join(import.meta.dirname, '../../../docs/migrating-from-msw.md')

/** The scenarios that need a page. */
const inChromium = 'in Chromium'

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
    // Scenarios wait most of the time. Each library runs in a separate process or browser.
    ;[ours, ...theirs] = await Promise.all([
      runScenarios('@understudy/msw', file),
      runScenarios('msw-2', file),
      runScenarios('msw-3', file),
    ])
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
