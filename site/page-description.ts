import { removeComments } from './write-markdown.ts'

/** The length that search engines show. */
const limit = 160

/**
 * Returns the description of a page for search engines: its first paragraph, as plain text, cut after a sentence or a word.
 * Returns `undefined` if the page has no paragraph.
 */
export function describePage(markdown: string): string | undefined {
  const text = removeComments(markdown.replace(/^---\n[\s\S]*?\n---\n/, '')).replaceAll(/^( *)```[\s\S]*?^\1```$/gm, '')
  const paragraph = text.split(/\n\s*\n/).find((block) => /^[\w"'*`[]/.test(block.trim()))
  if (paragraph === undefined) return undefined
  const plain = paragraph
    .trim()
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/\*{1,2}(\w[^*]*)\*{1,2}/g, '$1')
    .replaceAll('`', '')
    .replaceAll(/\s+/g, ' ')
    .replace(/:$/, '.')
  if (plain.length <= limit) return plain
  const sentences = /^.*[.!?](?= )/.exec(plain.slice(0, limit + 1))?.[0]
  return sentences ?? `${plain.slice(0, limit).replace(/\W* \S*$/, '')}…`
}
