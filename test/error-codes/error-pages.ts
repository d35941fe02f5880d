import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import type { ErrorSite } from './read-error-sites.ts'

/** The page of a code in `docs/errors`. The pages are the catalogue: the sources contain the code and the message only. */
export interface ErrorPage {
  readonly code: string
  /** The text of the heading after the code. */
  readonly title: string
  /** The path relative to the repository's root. */
  readonly file: string
  readonly text: string
}

/** The areas of the codes, by their first two digits. */
export const areas: readonly (readonly [digits: string, name: string])[] = [
  ['01', 'Handlers and options'],
  ['02', 'Requests and responses'],
  ['03', 'Start and service worker in the browser'],
  ['04', 'Node'],
  ['05', 'GraphQL'],
  ['06', 'WebSocket and server-sent events'],
  ['07', 'Cookies'],
  ['08', 'Plugins, Vitest and inspection'],
  ['09', 'Storybook'],
  ['10', 'Migration and servers'],
  ['11', 'React Native'],
]

/** @param root the folder that contains `docs` */
export function readErrorPages(root: string): ErrorPage[] {
  const files = globSync('docs/errors/*.md', { cwd: root }).map((file) => file.replaceAll('\\', '/'))
  return files.toSorted().map((file) => {
    const text = readFileSync(join(root, file), 'utf8')
    const [, code = '', title = ''] = /^# (US\d{4}): (.+)\n/.exec(text) ?? []
    return { code, title, file, text }
  })
}

const messages = /(?<=<!-- message -->\n)[\s\S]*?(?=\n## Cause\n)/

/** Returns the text of the page with the messages in the sources. */
export function withMessages({ code, text }: ErrorPage, sites: readonly ErrorSite[]): string {
  const own = sites.filter((site) => site.code === code).map(({ message }) => message.trim().split('\n')[0] ?? '')
  // A message that consists of variable parts, such as "Failed to …: …. …", would not help a reader.
  const shown = [...new Set(own)]
    .filter((message) => /[a-z]{2}/.test(message.replace(/^Failed to\b/, '')))
    .map((message) => `${message} (${code})`)
  return text.replace(messages, () => (shown.length === 0 ? '' : `\n\`\`\`text\n${shown.join('\n')}\n\`\`\`\n`))
}

const list = /(?<=<!-- codes -->\n)[\s\S]*$/

/** Returns the text of the page that lists the codes: `docs/error-codes.md`. */
export function withCodes(text: string, pages: readonly ErrorPage[]): string {
  const sections = areas.map(([area, name]) => {
    const own = pages.filter(({ code }) => code.startsWith(`US${area}`))
    return `\n## ${name}\n\n${own.map(({ code, title }) => `- [${code}](errors/${code}.md): ${title}`).join('\n')}\n`
  })
  return text.replace(list, () => sections.join(''))
}
