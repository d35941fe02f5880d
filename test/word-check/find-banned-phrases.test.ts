import { expect, test } from 'vitest'

import { bannedPhrases } from './banned-phrases.ts'
import { findBannedPhrases } from './find-banned-phrases.ts'

const phrasesOf = (text: string) => findBannedPhrases(text).map(({ line, phrase }) => `${line}: ${phrase}`)

test('finds banned phrases with their lines, in any case', () => {
  expect(phrasesOf('// Whoever asks\nthrow new Error("a port that is none")\n# Mend it anew.')).toEqual([
    '1: Whoever',
    '2: is none',
    '3: Mend',
    '3: anew',
  ])
})

test.each([
  ['a block comment', '/**\n * A value that is\n * none.\n */', '2: is none'],
  ['line comments', '  // a value that is\n  // none', '1: is none'],
  ['Markdown', 'A value that is\nnone.', '1: is none'],
  ['a quotation with CRLF', '> A value that is\r\n> none.', '1: is none'],
])('finds a phrase that continues on the next line of %s', (_, text, finding) => {
  expect(phrasesOf(text)).toEqual([finding])
})

test.each([
  'Recommend it, and amend the commit.',
  'The worker leaves all other requests alone.',
  'Leave it alone.',
  'a stand-alone app',
  'There is no handler.',
  'It is no longer used.',
  'Run one alone with npm run.',
  'Tests that perform well.',
  'The step before is the first.',
  'a path of its own origin',
  'It comes to the same result.',
  'The worker comes of age.',
])('accepts ordinary English: %s', (text) => {
  expect(phrasesOf(text)).toEqual([])
})

test.each([
  'for that host alone',
  'what is no handler',
  '"erorr" is no strategy',
  'Refused is what a page sends.',
  'nobody sees it',
  'The page is told of it.',
  'a class in the place of the platform’s',
  'Somebody uses it.',
  'It waits for ever.',
  'takes the page along',
  'It has given up.',
  'a neighbouring worker',
  'the carrier of events',
  'made by http.get and its like',
  'how it is named to people',
  'what is loaded by and by',
  'The stream ends for good.',
  'They cannot be told apart.',
  'what a resolver is told',
  'It takes the place of the other one.',
  'The ones before stay.',
  'a resolver of today',
  'It ended without a word.',
  'It waits in vain.',
  'whatever else arrives',
  'what is wrong with it',
  'a misspelt option',
  'a process of its own',
  'Each is a package of its own, because it is large.',
  'A build contains nothing of it.',
  'Stories come and go.',
  'Understudy answers in its place.',
  'a file that imports what is not there',
  'An update is on its way.',
  'what a request came to',
  'It performs the request.',
  'The request is performed.',
])('refuses: %s', (text) => {
  expect(phrasesOf(text)).toHaveLength(1)
})

test('says what to write for each phrase', () => {
  expect(bannedPhrases.filter(({ write }) => !write)).toEqual([])
  expect(findBannedPhrases('// anew')[0]?.write).toBe('"again"')
})

test('accepts an exception with a reason, for its line and the next one', () => {
  const line = '// word-check: allow "anew", because it is the name of a track'
  expect(phrasesOf(`${line}\nplay('Anew')\nplay('anew')`)).toEqual(['3: anew'])
  expect(phrasesOf(`play('anew') ${line}`)).toEqual([])
})

test('reports an exception without a reason, and one without effect', () => {
  expect(phrasesOf('play("anew") // word-check: allow "anew"')).toEqual(['1: anew', '1: word-check: allow "anew"'])
  expect(phrasesOf('// word-check: allow "anew", because it was needed')).toEqual(['1: word-check: allow "anew"'])
})
