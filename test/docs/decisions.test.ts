import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'

import { expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '../..')
const folder = join(root, 'docs/decisions')

interface Decision {
  readonly number: number
  readonly text: string
  /** The text before the context: the number and the title, and which later decision replaces this one. */
  readonly head: string
}

const decisions = readdirSync(folder)
  .filter((file) => /^\d/.test(file))
  .map((file): Decision => {
    const text = readFileSync(join(folder, file), 'utf8')
    return { number: Number.parseInt(file), text, head: text.split(/\*\*Context\.\*\*|## Context/)[0] ?? '' }
  })

function listLinks(text: string): number[] {
  return Array.from(text.matchAll(/\]\((\d{4})-[\w-]+\.md\)/g), ([, number]) => Number(number))
}

test('the title of each decision has its number', () => {
  expect(decisions.length).toBeGreaterThan(60)
  expect(decisions.filter(({ number, head }) => !head.startsWith(`# ${number}. `))).toEqual([])
})

test('a replaced decision and the one that replaces it name each other', () => {
  const replaced = decisions.filter(({ head }) => /replace/i.test(head.split('\n').slice(1).join('\n')))
  expect(replaced.length).toBeGreaterThan(3)
  const oneWay = replaced.flatMap(({ number, head }) =>
    listLinks(head)
      .filter((later) => !decisions.some((each) => each.number === later && listLinks(each.text).includes(number)))
      .map((later) => `decision ${later} does not name decision ${number}, which it replaces`),
  )
  expect(oneWay).toEqual([])
})

/** Files of users' projects. */
const elsewhere = ['instrumentation.ts', 'handlers.ts', 'index.html']

test('the files that decisions name exist, except for files of replaced decisions', () => {
  const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  }).split('\n')
  const named = decisions
    .filter(({ head }) => !/replace/i.test(head.split('\n').slice(1).join('\n')))
    .flatMap(({ number, text }) =>
      Array.from(text.matchAll(/`([\w./-]+\.(?:ts|tsx|md))`/g), ([, file = '']) => ({ number, file })),
    )
    .filter(({ file }) => !elsewhere.includes(basename(file)))
  expect(named.length).toBeGreaterThan(30)
  expect(named.filter(({ file }) => !files.some((each) => each === file || each.endsWith(`/${file}`)))).toEqual([])
})
