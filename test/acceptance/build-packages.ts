import { execFileSync } from 'node:child_process'

import { repository } from './project.ts'

/** Build tools that run on their own read the packages' builds: those must not be older than the code. */
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
