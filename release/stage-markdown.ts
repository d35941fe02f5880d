import { posix } from 'node:path'

/** The targets of links to files outside the package. */
export interface Addresses {
  /** The URL of the forge, without a slash at the end. */
  readonly repository?: string | undefined
  /** The URL of the documentation site, without a slash at the end. */
  readonly homepage?: string | undefined
}

/**
 * Rewrites the relative links of a Markdown file for a published package.
 *
 * @param markdown the text
 * @param from the file's path in the repository: `packages/engine/README.md`, `docs/vite.md`
 * @param places the paths in the package of the repository's files that it contains
 * @returns the text. A link to a file that the package does not contain leads to the site or the forge; without their address it
 *   becomes plain text, and an image is left out.
 */
export function stageMarkdown(
  markdown: string,
  from: string,
  places: ReadonlyMap<string, string>,
  addresses: Addresses,
): string {
  const own = places.get(from) ?? from
  return removeTests(markdown).replaceAll(
    /(!?)\[((?:[^[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)/g,
    (link: string, image: string, text: string, target: string) => {
      if (/^(?:[a-z]+:|#)/.test(target)) return link
      const [path = '', hash] = target.split('#')
      const file = posix.join(posix.dirname(from), path)
      const place = places.get(file)
      const anchor = hash === undefined ? '' : `#${hash}`
      if (place !== undefined) return `${image}[${text}](${posix.relative(posix.dirname(own), place)}${anchor})`
      const url = toUrl(file, image !== '', addresses)
      if (url) return `${image}[${text}](${url}${anchor})`
      return image ? '' : text
    },
  )
}

/** Returns the files below `docs` to which a Markdown file of the repository links. */
export function listLinkedPages(markdown: string, from: string): string[] {
  const targets = Array.from(
    removeTests(markdown).matchAll(/\]\(([^)\s#]+\.md)(?:#[^)\s]*)?\)/g),
    ([, path = '']) => path,
  )
  const files = targets.filter((path) => !/^[a-z]+:/.test(path)).map((path) => posix.join(posix.dirname(from), path))
  return [...new Set(files)].filter((file) => file.startsWith('docs/'))
}

function toUrl(file: string, isImage: boolean, { repository, homepage }: Addresses): string | undefined {
  const page = /^docs\/(.+)\.md$/.exec(file)?.[1]
  if (page && homepage) return `${homepage}/${page}.html`
  return repository && `${repository}/${isImage ? 'raw' : 'blob'}/main/${file}`
}

/** Removes comments, which contain the tests of examples. */
function removeTests(markdown: string): string {
  return markdown.replaceAll(/^<!--[\s\S]*?-->\n?/gm, '')
}
