import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import type { PageResults } from './run-tests.ts'

/**
 * Expected differences by reason, page and subtest: `'PASS → FAIL'`, without handlers first. If the result depends on
 * timing, it is a list of all possible results, among which is `'same'`. The subtest `'*'` stands for all subtests of a
 * page whose results are not the same in each run.
 */
export type Expected = Record<string, Record<string, Record<string, Change>>>

type Change = string | readonly string[]

/** A subtest whose result depends on the handlers. */
export interface Difference {
  readonly page: string
  readonly subtest: string
  /** `'PASS → FAIL'` */
  readonly change: string
  readonly message: string
}

export interface Comparison {
  readonly differences: readonly Difference[]
  /** Differences that are not in the file, and those in the file that do not exist. */
  readonly unexpected: readonly string[]
  /** The number of subtests that ran without handlers. */
  readonly subtests: number
}

const file = join(import.meta.dirname, 'expected-differences.json')

export async function readExpected(): Promise<Record<string, Expected>> {
  return JSON.parse(await readFile(file, 'utf8')) as Record<string, Expected>
}

export async function writeExpected(expected: Record<string, Expected>): Promise<void> {
  await writeFile(file, `${JSON.stringify(expected, null, 2)}\n`)
}

/** Compares the results of pages without handlers and with them. */
export function compare(
  real: Record<string, PageResults>,
  mocked: Record<string, PageResults>,
  pages: readonly string[],
  expected: Expected,
): Comparison {
  const differences = pages.flatMap((page) => compareSubtests(page, real[page], mocked[page]))
  const unexpected = differences
    .filter((difference) => findReason(expected, difference) === undefined)
    .map(({ page, subtest, change, message }) => `${page} | ${subtest} | ${change} | ${message}`)
  const missing = Object.values(expected)
    .flatMap((byPage) => Object.entries(byPage))
    .filter(([page]) => pages.includes(page))
    .flatMap(([page, subtests]) =>
      Object.keys(subtests)
        .filter((name) => !isExpected(subtests[name], same))
        .filter((name) => !differences.some((each) => each.page === page && (name === '*' || each.subtest === name)))
        .map((name) => `${page} | ${name} | no longer differs: remove it from expected-differences.json`),
    )
  const counts = pages.map((page) => Object.keys(real[page]?.subtests ?? {}).length)
  return { differences, unexpected: [...unexpected, ...missing], subtests: counts.reduce((sum, each) => sum + each, 0) }
}

/** The possible result of a subtest that depends on timing, beside differences. */
const same = 'same'

function isExpected(expected: Change | undefined, change: string): boolean {
  return typeof expected === 'string' ? expected === change : (expected?.includes(change) ?? false)
}

/** Returns the file's reason for a difference. An empty text is not a reason. */
function findReason(expected: Expected, { page, subtest, change }: Difference): string | undefined {
  const [reason] =
    Object.entries(expected).find(([, pages]) => {
      const subtests = pages[page]
      return subtests !== undefined && (isExpected(subtests[subtest], change) || '*' in subtests)
    }) ?? []
  return reason || undefined
}

/** Returns the updated differences of the file. New results replace previous ones, and keep their reasons. */
export function updateExpected(
  expected: Expected,
  differences: readonly Difference[],
  pages: readonly string[],
): Expected {
  const updated: Expected = {}
  const add = (reason: string, page: string, subtest: string, change: Change): void => {
    const byPage = (updated[reason] ??= {})
    const subtests = (byPage[page] ??= {})
    subtests[subtest] = change
  }
  for (const [reason, byPage] of Object.entries(expected)) {
    for (const [page, subtests] of Object.entries(byPage)) {
      for (const [subtest, change] of Object.entries(subtests)) {
        if (!pages.includes(page) || isExpected(change, same)) add(reason, page, subtest, change)
      }
    }
  }
  for (const difference of differences) {
    const { page, subtest, change } = difference
    const reason = findReason(expected, difference) ?? ''
    if (isExpected(updated[reason]?.[page]?.[subtest], change)) continue
    if ('*' in (expected[reason]?.[page] ?? {})) add(reason, page, '*', '*')
    else add(reason, page, subtest, change)
  }
  return updated
}

function compareSubtests(page: string, real: PageResults | undefined, mocked: PageResults | undefined): Difference[] {
  if (!real || !mocked)
    return [{ page, subtest: '', change: `${real?.status} → ${mocked?.status}`, message: 'not run' }]
  const names = new Set([...Object.keys(real.subtests), ...Object.keys(mocked.subtests)])
  const pairs = [...names].map(
    (name) => [name, real.subtests[name] ?? 'NONE', mocked.subtests[name] ?? 'NONE'] as const,
  )
  return [['', real.status, mocked.status] as const, ...pairs]
    .filter(([, before, after]) => before !== after)
    .map(([subtest, before, after]) => ({
      page,
      subtest,
      change: `${before} → ${after}`,
      message: (before === 'PASS' || before === 'OK' ? mocked : real).messages[subtest] ?? '',
    }))
}
