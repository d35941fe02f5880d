import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import { sections } from './sections.ts'

interface Site {
  /** The folder of the pages. */
  readonly docs: string
  /** The folder of the built site. */
  readonly outDir: string
  /** The pages, relative to `docs`. */
  readonly pages: readonly string[]
  /** The description of the product in one sentence. */
  readonly description: string
}

/** Writes each page as Markdown beside its HTML, and `llms.txt` with a link to each. */
export async function writeMarkdown({ docs, outDir, pages, description }: Site): Promise<void> {
  for (const page of pages) {
    const target = join(outDir, page)
    await mkdir(dirname(target), { recursive: true })
    await writeFile(target, removeComments(await readFile(join(docs, page), 'utf8')))
  }
  await writeFile(join(outDir, 'llms.txt'), createIndex(description, pages))
}

/** Removes comments, which contain the tests of examples. */
export function removeComments(markdown: string): string {
  return markdown.replaceAll(/^<!--[\s\S]*?-->\n?/gm, '')
}

/**
 * Creates an index of all pages in the format of https://llmstxt.org. Links are relative, so that they work under any
 * base.
 */
function createIndex(description: string, pages: readonly string[]): string {
  const parts = sections.map(({ title, pages: own }) =>
    [`## ${title}`, '', ...own.map(({ path, title: name }) => `- [${name}](${path}.md)`)].join('\n'),
  )
  const entries = pages.filter((page) => /^api\/(?:.+\/)?index\.md$/.test(page)).toSorted()
  const reference = entries.map((page) => `- [${page.slice(4, -'/index.md'.length) || 'All entries'}](${page})`)
  return [`# Understudy`, `> ${description}`, ...parts, ['## API reference', '', ...reference].join('\n')]
    .join('\n\n')
    .concat('\n')
}
