import { globSync } from 'node:fs'

/** The pages that users read: the README of the repository and of each package, and all below `docs`. */
export function findPages(root: string): string[] {
  return globSync(['README.md', 'packages/*/README.md', 'docs/**/*.md'], { cwd: root }).sort()
}
