import { globSync } from 'node:fs'

/**
 * The pages that users read: the README and the skill of each package, that of the repository, and all below `docs`. The API reference is
 * left out. It is generated, and `npm run docs:build` checks its links.
 */
export function findPages(root: string): string[] {
  return globSync(['README.md', 'packages/*/README.md', 'packages/*/SKILL.md', 'docs/**/*.md'], { cwd: root })
    .filter((page) => !page.startsWith('docs/api/'))
    .sort()
}
