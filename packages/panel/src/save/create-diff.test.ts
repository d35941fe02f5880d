import { applyPatch } from 'diff'
import fc from 'fast-check'
import { expect, test } from 'vitest'

import { createDiff } from './create-diff.ts'

const apply = (before: string, diff: string): string | false => applyPatch(before, `--- a\n+++ a\n${diff}`)

/** Lines that another prefix makes different from the first to the last. */
const lines = (prefix: string, count: number): string =>
  Array.from({ length: count }, (_, index) => `${prefix} ${index}\n`).join('')

test('the diff of any two texts results in the second one', () => {
  const text = fc
    .tuple(fc.array(fc.constantFrom('a', 'b', ''), { maxLength: 12 }), fc.constantFrom('', '\n'))
    .map(([each, end]) => each.join('\n') + end)
  fc.assert(
    fc.property(text, text, (before, after) => {
      const diff = createDiff(before, after)
      expect(diff === '').toBe(before === after)
      expect(diff === '' ? before : apply(before, diff)).toBe(after)
    }),
  )
})

test('three lines around each change are shown, with the numbers of their lines', () => {
  const before = lines('a', 40)
  const diff = createDiff(before, before.replace('a 10\n', 'b\n').replace('a 30\n', ''))
  expect(diff).toBe(`@@ -8,7 +8,7 @@
 a 7
 a 8
 a 9
-a 10
+b
 a 11
 a 12
 a 13
@@ -28,7 +28,6 @@
 a 27
 a 28
 a 29
-a 30
 a 31
 a 32
 a 33
`)
})

test('the time for long texts is not quadratic: a replaced response, and a response in a long file', () => {
  const [before, after] = [`first\n${lines('a', 16_000)}`, `first\n${lines('b', 16_000)}`]
  expect(apply(before, createDiff(before, after))).toBe(after)
  const file = lines('c', 3000)
  const diff = createDiff(`import\n${file}`, `import more\n${lines('b', 16_000)}${file}`)
  expect(diff.match(/^-/gm)).toHaveLength(1)
  expect(diff.match(/^\+/gm)).toHaveLength(16_001)
})
