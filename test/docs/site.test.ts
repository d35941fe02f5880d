import { globSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import { createChart } from '../../site/benchmark-chart.ts'
import { checkAnchors } from '../../site/check-anchors.ts'
import { toTabs } from '../../site/package-managers.ts'
import { describePage } from '../../site/page-description.ts'
import { listApi, listErrorCodes, sections } from '../../site/sections.ts'
import { removeComments, writeMarkdown } from '../../site/write-markdown.ts'

const docs = resolve(import.meta.dirname, '../../docs')

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'understudy-site-'))
})

afterEach(async () => {
  await rm(folder, { recursive: true })
})

test('the side bar has each page, and no other', () => {
  const pages = globSync(['*.md', 'recipes/*.md'], { cwd: docs }).filter((file) => file !== 'index.md')
  const listed = sections.flatMap((section) => section.pages.map(({ path }) => `${path}.md`))
  expect(listed.filter((file) => !file.startsWith('api/')).toSorted()).toEqual(
    [...pages.map((file) => file.replaceAll('\\', '/')), 'decisions/README.md'].toSorted(),
  )
})

test('the side bar of error codes has each code with its title, in the groups of the list', () => {
  const codes = globSync('errors/US*.md', { cwd: docs }).map((file) =>
    file.replaceAll('\\', '/').slice(0, -'.md'.length),
  )
  const [all, ...groups] = listErrorCodes(docs)
  expect(all?.pages).toEqual([{ path: 'error-codes', title: 'All codes' }])
  expect(groups.flatMap(({ pages }) => pages.map(({ path }) => path)).toSorted()).toEqual(codes.toSorted())
  expect(groups[0]?.pages[0]?.title).toBe('US0101: A value in a list of handlers is not a handler')
})

test('the side bar of the API has each package before its other entries', async () => {
  for (const entry of ['engine/browser', 'engine', 'engine/server/node', 'panel']) {
    await mkdir(join(folder, 'api/@understudy', entry), { recursive: true })
    await writeFile(join(folder, 'api/@understudy', entry, 'index.md'), '')
  }
  expect(listApi(folder).map(({ title, pages }) => [title, ...pages.map((each) => each.title)])).toEqual([
    ['@understudy/engine', '@understudy/engine', 'browser', 'server/node'],
    ['@understudy/panel', '@understudy/panel'],
  ])
  expect(listApi(folder)[0]?.pages[1]?.path).toBe('api/@understudy/engine/browser/')
})

test('blocks that install packages get a tab for each package manager, and others stay', () => {
  const block = (text: string): string => `   \`\`\`sh\n   ${text}\n   \`\`\``
  expect(toTabs(block('npm install --save-dev a b'))).toBe(
    `   ::: code-group\n\n   \`\`\`sh [npm]\n   npm install --save-dev a b\n   \`\`\`\n\n` +
      `   \`\`\`sh [pnpm]\n   pnpm add --save-dev a b\n   \`\`\`\n\n` +
      `   \`\`\`sh [Yarn]\n   yarn add --dev a b\n   \`\`\`\n\n` +
      `   \`\`\`sh [Bun]\n   bun add --dev a b\n   \`\`\`\n\n   :::`,
  )
  expect(toTabs(block('npm uninstall a\n   npm install --save-dev b'))).toContain('yarn remove a\n   yarn add --dev b')
  for (const text of ['npm run build', 'npx vite\n   npm install --save-dev a', 'npm install']) {
    expect(toTabs(block(text))).toBe(block(text))
  }
})

describe('dead links', () => {
  const check = async (link: string): Promise<string> => {
    await writeFile(join(folder, 'index.html'), `<a href="${link}">a</a>`)
    await writeFile(join(folder, 'vite.html'), '<h2 id="options">Options</h2>')
    return checkAnchors(folder, '/base/').then(
      () => 'passed',
      (error: Error) => error.message,
    )
  }

  test.each(['/base/', '/base/vite.html#options', './vite.html', 'https://example.com/x', '/base/vite.html?a=1'])(
    'are not %s',
    async (link) => {
      expect(await check(link)).toBe('passed')
    },
  )

  test('are links to a missing page', async () => {
    expect(await check('/base/webpack.html')).toContain('index.html: no page /base/webpack.html')
  })

  test('are links to a missing anchor', async () => {
    expect(await check('vite.html#option')).toContain('index.html: no anchor vite.html#option')
  })
})

test('pages as Markdown have no tests of examples, and llms.txt links to each', async () => {
  const page = 'vite.md'
  await writeMarkdown({ docs, outDir: folder, pages: [page], description: 'API mocking' })
  const written = readFileSync(join(folder, page), 'utf8')
  expect(written).toContain('# Vite')
  expect(written).not.toContain('<!-- test')
  expect(readFileSync(join(folder, 'llms.txt'), 'utf8')).toContain('- [Vite](vite.md)')
  expect(removeComments('a\n<!-- test\nexpect(1)\n\n-->\nb')).toBe('a\nb')
})

test.each([
  [
    'text without markup',
    '# Vite\n\nThe *plugin* works\nwith `vite` ([guide](vite.md)).\n',
    'The plugin works with vite (guide).',
  ],
  [
    'the first paragraph',
    '---\na: b\n---\n# A\n\n<!-- c\n\nd -->\n\n![e](e.png)\n\n```ts\nf\n\ng\n```\n\n- h\n\n| i |\n\n## J\n\nText:\n',
    'Text.',
  ],
  [
    'whole sentences',
    `# A\n\n${'A sentence of 30 characters. . '.repeat(8)}\n`,
    'A sentence of 30 characters. . '.repeat(5).trim(),
  ],
  ['whole words', `# A\n\n${'word '.repeat(60)}\n`, `${'word '.repeat(32).trim()}…`],
])('the description of a page is %s', (_name, markdown, description) => {
  expect(describePage(markdown)).toBe(description)
})

test('each page has its own description', () => {
  const pages = globSync(['*.md', 'recipes/*.md', 'errors/*.md'], { cwd: docs })
  const own = pages
    .filter((page) => page !== 'index.md' && page !== 'playground.md')
    .map((page) => describePage(readFileSync(join(docs, page), 'utf8')))
  expect(own.filter((text) => text === undefined || text.length < 15 || /[`[\]|]|^[^\w@]/.test(text))).toEqual([])
})

test('charts escape names, and scale bars within a variant', () => {
  const chart = createChart({
    id: 'node-x',
    title: 'A < B',
    unit: '/s',
    date: '2026-01-01',
    machine: 'm',
    goals: [],
    cells: [
      { subject: 'Understudy', median: 10, rounds: [] },
      { subject: 'other & more', median: 20, rounds: [] },
    ],
  })
  const widths = Array.from(chart.matchAll(/ width="([\d.]+)"/g), ([, width]) => Number(width))
  expect(widths[1]).toBeCloseTo((widths[0] ?? 0) * 2, 0)
  expect(chart).toContain('A &lt; B')
  expect(chart).toContain('other &amp; more')
})
