import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { repository } from '../acceptance/project.ts'
import type { Seen } from './probe.ts'
import { reasons, type Mode, type Reason } from './reasons.ts'

/** The differences by probe: `status: 200 / 201`, the real server's value first. */
export type Differences = Readonly<Record<string, readonly string[]>>

export interface Comparison {
  readonly browser: 'Chromium' | 'Firefox'
  readonly differences: Readonly<Record<Mode, Differences>>
}

/** Compares the results of all probes. */
export function compare(real: Readonly<Record<string, Seen>>, mocked: Readonly<Record<string, Seen>>): Differences {
  return Object.fromEntries(
    Object.entries(mocked).map(([name, mock]) => {
      const server = real[name] ?? {}
      const properties = [...new Set([...Object.keys(server), ...Object.keys(mock)])]
      const differing = properties.filter((key) => JSON.stringify(server[key]) !== JSON.stringify(mock[key]))
      return [name, differing.map((key) => `${key}: ${JSON.stringify(server[key])} / ${JSON.stringify(mock[key])}`)]
    }),
  )
}

const modes: readonly Mode[] = ['service worker', 'page']
const file = join(repository, 'docs/fidelity-browser.md')

function findReasons(comparison: Comparison, mode: Mode, probe: string): readonly Reason[] {
  return reasons.filter(
    ({ probes, browser = comparison.browser, mode: of = mode }) =>
      browser === comparison.browser && of === mode && probes.some((start) => probe.startsWith(start)),
  )
}

/** Returns differences without a reason, and reasons without a difference. */
export function findUnexplained(comparison: Comparison): string[] {
  const used = new Set<Reason>()
  const lines: string[] = []
  for (const mode of modes) {
    for (const [probe, differing] of Object.entries(comparison.differences[mode])) {
      if (differing.length === 0) continue
      const found = findReasons(comparison, mode, probe)
      if (found.length === 0) lines.push(`${probe}, ${mode}: ${differing.join('; ')}`)
      for (const reason of found) used.add(reason)
    }
  }
  for (const reason of reasons) {
    const { browser = comparison.browser } = reason
    if (browser === comparison.browser && !used.has(reason)) lines.push(`no difference for: ${reason.reason}`)
  }
  return lines
}

/** Returns the table of a browser. */
function toTable(comparison: Comparison): string {
  const { differences } = comparison
  const cell = (mode: Mode, probe: string): string => {
    const differing = differences[mode][probe] ?? []
    if (differing.length === 0) return 'same'
    const properties = differing.map((line) => `\`${line.split(':')[0]}\``)
    const shown =
      properties.length > 4 ? 'differs' : `${properties.join(', ')} differ${properties.length === 1 ? 's' : ''}`
    return `${shown}: ${findReasons(comparison, mode, probe)
      .map(({ reason }) => reason)
      .join(' ')}`
  }
  const rows = Object.keys(differences.page).map(
    (probe) => `| ${probe} | ${cell('service worker', probe)} | ${cell('page', probe)} |`,
  )
  return ['| Seen by the app | Service worker | In the page |', '|---|---|---|', ...rows].join('\n')
}

/**
 * Returns the actual and the expected text of the documentation page. With UNDERSTUDY_UPDATE_DOCS in the environment, it
 * first writes the page.
 */
export async function readPage(comparison: Comparison): Promise<{ actual: string; expected: string }> {
  const marks = [`<!-- ${comparison.browser} begins -->\n\n`, `\n\n<!-- ${comparison.browser} ends -->`] as const
  const before = await readFile(file, 'utf8')
  const [from, to] = [before.indexOf(marks[0]) + marks[0].length, before.indexOf(marks[1])]
  const expected = before.slice(0, from) + toTable(comparison) + before.slice(to)
  if (process.env['UNDERSTUDY_UPDATE_DOCS']) await writeFile(file, expected)
  return { actual: await readFile(file, 'utf8'), expected }
}
