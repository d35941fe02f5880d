import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'

import { addOverride } from './pnpm-workspace.ts'

const add = (text: string): string | undefined => addOverride(text, 'msw', 'npm:a@^1')

describe('an override is added', () => {
  test.each([
    ['to an empty file', '', 'overrides:\n  msw: npm:a@^1\n'],
    ['to a file with only comments', '# a\n', '# a\noverrides:\n  msw: npm:a@^1\n'],
    ['to a file without overrides', 'packages:\n- a', 'packages:\n- a\noverrides:\n  msw: npm:a@^1\n'],
    ['in place of a version', 'overrides:\n  msw: 2.7.0 # old\n', 'overrides:\n  msw: npm:a@^1 # old\n'],
    ['in place of a quoted name', `overrides:\n  'msw': "2.7.0"\n`, `overrides:\n  'msw': npm:a@^1\n`],
    ['in place of no version', 'overrides:\n  msw:\n  a: 1\n', 'overrides:\n  msw: npm:a@^1\n  a: 1\n'],
    ['below an empty line', 'overrides:\n\n    a: 1\n', 'overrides:\n\n    msw: npm:a@^1\n    a: 1\n'],
    ['below a comment', 'overrides:\n# b\n    a: 1\n', 'overrides:\n# b\n    msw: npm:a@^1\n    a: 1\n'],
    ['to a quoted key', `"overrides":\n  a: 1\n`, `"overrides":\n  msw: npm:a@^1\n  a: 1\n`],
    ['to a key in the last line', 'overrides:', 'overrides:\n  msw: npm:a@^1\n'],
    ['to a key without entries', 'overrides: # b\npackages: []\n', 'overrides: # b\n  msw: npm:a@^1\npackages: []\n'],
    ['to a list in one line', 'overrides: { a: 1 }\n', 'overrides: { msw: npm:a@^1, a: 1 }\n'],
    ['to an empty list in one line', 'overrides: {}\n', 'overrides: { msw: npm:a@^1 }\n'],
    ['with line ends of Windows', 'overrides:\r\n  a: 1\r\n', 'overrides:\r\n  msw: npm:a@^1\r\n  a: 1\r\n'],
    ['beside a key of another list', 'catalog:\n  msw: 2\n', 'catalog:\n  msw: 2\noverrides:\n  msw: npm:a@^1\n'],
    ['beside a selector', 'overrides:\n  msw@2: 2.7.0\n', 'overrides:\n  msw: npm:a@^1\n  msw@2: 2.7.0\n'],
  ])('%s', (_name, before, after) => {
    expect(add(before)).toBe(after)
    expect(parse(after)).toHaveProperty('overrides.msw', 'npm:a@^1')
  })
})

test.each([
  ['a file in one line', '{ packages: [a] }\n'],
  ['a list from elsewhere', 'a: &a { b: 1 }\noverrides: *a\n'],
  ['a version that is used elsewhere', 'overrides:\n  msw: &a 2.7.0\n  b: *a\n'],
  ['an end of the document', 'packages: []\n...\n'],
  ['an explicit null', 'overrides: ~\n'],
  ['an invalid file', 'overrides: [\n'],
])('%s does not change', (_name, text) => {
  expect(add(text)).toBeUndefined()
})
