import { posix } from 'node:path'

import type { MarkdownRenderer } from 'vitepress'

/**
 * Rewrites links that leave `docs`, because those files are not pages of the site. A link goes to the forge, or becomes plain text
 * while the repository has no address.
 *
 * @param repository the address of the repository, without a slash at the end
 */
export function linkRepository(md: MarkdownRenderer, repository: string | undefined): void {
  md.core.ruler.push('repository-links', ({ tokens, env }) => {
    const { relativePath = '' } = env as { relativePath?: string }
    for (const { children } of tokens) {
      if (!children) continue
      for (let i = children.length - 1; i >= 0; i -= 1) {
        const href = children[i]?.attrGet('href')
        const target = href && findTarget(href, relativePath)
        if (!target) continue
        if (repository) children[i]?.attrSet('href', `${repository}/blob/main/${target}`)
        else {
          const end = children.findIndex(({ type }, index) => index > i && type === 'link_close')
          children.splice(end, 1)
          children.splice(i, 1)
        }
      }
    }
  })
}

/**
 * Returns the file outside `docs` to which a link leads. API pages link to their sources with `source:` while there is
 * no URL of the repository.
 */
function findTarget(href: string, page: string): string | undefined {
  if (href.startsWith('source:')) return href.replace(/^source:\/blob\/main\//, '')
  if (/^(?:[a-z]+:|[#/])/.test(href)) return undefined
  const target = posix.join('docs', posix.dirname(page), href)
  return target.startsWith('docs/') ? undefined : target
}

/** Removes HTML comments, which contain the tests of examples. */
export function dropComments(md: MarkdownRenderer): void {
  md.core.ruler.push('drop-comments', (state) => {
    state.tokens = state.tokens.filter(({ type, content }) => type !== 'html_block' || !content.startsWith('<!--'))
  })
}
