import { globSync } from 'node:fs'

/**
 * Finds the pages for users: the README and the skill of each package, the README of the repository, and all pages
 * below `docs`. The API reference is not included: it is generated, and `npm run docs:build` checks its links.
 */
export function findPages(root: string): string[] {
  return globSync(['README.md', 'packages/*/README.md', 'packages/*/SKILL.md', 'docs/**/*.md'], { cwd: root })
    .filter((page) => !page.startsWith('docs/api/'))
    .sort()
}
