import { execFileSync } from 'node:child_process'

import { repository } from './project.ts'

/** Build tools that run as separate processes use the builds of the packages, which must be up to date. */
export default function setup(): void {
  try {
    execFileSync('npm', ['run', '--silent', 'build'], { cwd: repository, stdio: 'pipe', encoding: 'utf8' })
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string }
    throw new Error(
      `Failed to build the packages: see below. Fix the error, then run the tests again.\n${stdout}${stderr}`,
      {
        cause: error,
      },
    )
  }
}
