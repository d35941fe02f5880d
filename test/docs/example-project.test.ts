import { afterEach, expect, test } from 'vitest'

import { createExampleProject, locate, type ExampleProject } from './example-project.ts'
import { readExamples } from './read-examples.ts'

let project: ExampleProject | undefined

afterEach(async () => {
  await project?.remove()
  project = undefined
})

const fence = '```'

async function createProject(markdown: string): Promise<ExampleProject> {
  project = await createExampleProject(new Map([['docs/page.md', markdown]]))
  return project
}

async function run({ files }: ExampleProject): Promise<string> {
  const path = files.find(({ isTested }) => isTested)?.path ?? 'no file'
  return import(/* @vite-ignore */ path).then(
    () => 'passed',
    (error: unknown) => (locate(error, { files }) as Error).message,
  )
}

test('a type error is reported with page and line', async () => {
  const markdown = ['# Page', '', `${fence}ts`, "import { http } from '@understudy/engine'", '', 'http.got()', fence]
  const { check } = await createProject(markdown.join('\n'))
  expect(await check()).toEqual([expect.stringMatching(/^docs\/page\.md:6: TS2339: Property 'got' does not exist/)])
})

test('a type error in a test is reported, too', async () => {
  const markdown = [`${fence}ts`, 'const one = 1', fence, '<!-- test', 'expect(two).toBe(1)', '-->']
  const { check } = await createProject(markdown.join('\n'))
  expect(await check()).toEqual([expect.stringMatching(/^docs\/page\.md:5: TS2304: Cannot find name 'two'/)])
})

test('a failing test is reported with page and line', async () => {
  Object.assign(globalThis, { expect })
  const markdown = ['', `${fence}ts`, 'const one = 1', fence, '', '<!-- test', '', 'expect(one).toBe(2)', '-->']
  expect(await run(await createProject(markdown.join('\n')))).toMatch(/^docs\/page\.md:8: expected 1 to be 2/)
})

test('an example that throws is reported with page and line', async () => {
  const markdown = ['', `${fence}ts`, "throw new Error('Boom')", fence, '<!-- test', '-->']
  expect(await run(await createProject(markdown.join('\n')))).toBe('docs/page.md:3: Boom')
})

test('examples may import each other by the name in their first line', async () => {
  const markdown = [`${fence}ts`, '// src/one.ts', 'export const one: number = 1', fence]
  markdown.push(`${fence}ts`, "import { one } from './src/one'", 'export const two: string = one', fence)
  const { check } = await createProject(markdown.join('\n'))
  expect(await check()).toEqual([expect.stringMatching(/^docs\/page\.md:7: TS2322/)])
})

test('a diff is read in its changed form', () => {
  const markdown = [`${fence}diff ts`, "-import { http } from 'msw'", "+import { http } from 'ours'", ' http', fence]
  const { examples } = readExamples(markdown.join('\n'), 'page')
  expect(examples.map(({ code, line }) => ({ code, line }))).toEqual([
    { code: "\nimport { http } from 'ours'\nhttp", line: 2 },
  ])
})

test('a prelude is added to examples without imports', async () => {
  const markdown = ['<!-- prelude -->', `${fence}ts`, "import { http } from '@understudy/engine'", fence]
  markdown.push(`${fence}ts`, 'http.got()', fence)
  markdown.push(`${fence}ts`, "import { HttpResponse } from '@understudy/engine'", 'http.got()', fence)
  const { check } = await createProject(markdown.join('\n'))
  expect(await check()).toEqual([
    expect.stringMatching(/^docs\/page\.md:6: TS2339: Property 'got'/),
    expect.stringMatching(/^docs\/page\.md:10: TS2304: Cannot find name 'http'/),
  ])
})

test('blocks of other languages, and unchecked blocks, are not examples', () => {
  const markdown = [`${fence}js`, 'x', fence, '<!-- unchecked: a sketch -->', '', `${fence}ts`, 'x', fence]
  expect(readExamples(markdown.join('\n'), 'page')).toEqual({ prelude: '', examples: [], faults: [] })
})

test('a block without an end, and a test without an example, are errors', () => {
  expect(readExamples(['text', '<!-- test', '-->', `${fence}ts`, 'x'].join('\n'), 'docs/page.md').faults).toEqual([
    'docs/page.md:2: a test without an example above it',
    'docs/page.md:4: the block never ends',
  ])
})

test('two examples with the same name are an error', async () => {
  const block = [`${fence}ts`, '// src/one.ts', fence]
  expect((await createProject([...block, ...block].join('\n'))).faults).toEqual([
    'docs/page.md:5: src/one.ts stands twice',
  ])
})
