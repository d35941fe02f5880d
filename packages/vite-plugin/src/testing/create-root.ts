import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { onTestFinished } from 'vitest'

/**
 * Creates the root of a project, in a folder from which the engine can be resolved, and removes it after the test.
 *
 * It is a separate package: Vite keeps optimized dependencies in the nearest package, and servers at the same time remove
 * those of each other.
 */
export async function createRoot(): Promise<string> {
  const parent = join(import.meta.dirname, '../../../../.tmp')
  await mkdir(parent, { recursive: true })
  const root = await mkdtemp(join(parent, 'vite-plugin-'))
  onTestFinished(() => rm(root, { recursive: true, force: true, maxRetries: 5 }))
  await writeFile(join(root, 'package.json'), '{ "type": "module" }')
  return root
}
