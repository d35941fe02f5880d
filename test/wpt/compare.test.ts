import { describe, expect, test } from 'vitest'

import { compare, updateExpected, type Expected } from './compare.ts'
import type { PageResults } from './run-tests.ts'

const page = '/page.html'
const result = (status: string): Record<string, PageResults> => ({
  [page]: { status: 'OK', subtests: { subtest: status }, messages: {} },
})

function findUnexpected(expected: Expected, real: string, mocked: string): readonly string[] {
  return compare(result(real), result(mocked), [page], expected).unexpected
}

describe('a subtest that is expected to differ', () => {
  const expected = { reason: { [page]: { subtest: 'PASS → FAIL' } } }

  test.for([
    ['differs so', 'FAIL', []],
    ['differs in another way', 'TIMEOUT', [expect.stringContaining('PASS → TIMEOUT')]],
    ['does not differ', 'PASS', [expect.stringContaining('no longer differs')]],
  ] as const)('%s', ([_name, mocked, unexpected]) => {
    expect(findUnexpected(expected, 'PASS', mocked)).toEqual(unexpected)
  })
})

describe('a subtest whose result depends on timing', () => {
  const expected = { reason: { [page]: { subtest: ['PASS → FAIL', 'same'] } } }

  test.for([
    ['PASS', 'FAIL'],
    ['PASS', 'PASS'],
  ] as const)('may have each of its results: %s and %s', ([real, mocked]) => {
    expect(findUnexpected(expected, real, mocked)).toEqual([])
  })

  test('fails with another result', () => {
    expect(findUnexpected(expected, 'PASS', 'TIMEOUT')).toEqual([expect.stringContaining('PASS → TIMEOUT')])
  })

  test.for(['FAIL', 'PASS'])('stays in the file after an update with the result %s', (mocked) => {
    const { differences } = compare(result('PASS'), result(mocked), [page], expected)
    expect(updateExpected(expected, differences, [page])).toEqual(expected)
  })

  test('needs a reason', () => {
    const without = { '': expected.reason }
    expect(findUnexpected(without, 'PASS', 'FAIL')).toHaveLength(1)
  })
})

test('an update removes a row that no longer differs, and adds a new one without a reason', () => {
  const expected = { reason: { [page]: { gone: 'PASS → FAIL' } } }
  const { differences } = compare(result('PASS'), result('FAIL'), [page], expected)
  expect(updateExpected(expected, differences, [page])).toEqual({ '': { [page]: { subtest: 'PASS → FAIL' } } })
})
