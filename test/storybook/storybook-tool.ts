import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { repository, type Project } from '../acceptance/project.ts'
import { findPort, runTool, type ToolProcess } from '../acceptance/run-tool.ts'

/** A running Storybook. */
export interface RunningStorybook {
  /** `http://localhost:6006` */
  readonly origin: string
  readonly process: ToolProcess
  stop(): Promise<void>
}

const quiet = { STORYBOOK_DISABLE_TELEMETRY: '1', CI: '1' }

function toolOf(sandbox: string): string {
  const folder = join(repository, 'sandboxes', sandbox, 'node_modules/storybook')
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { bin: string }
  return join(folder, bin)
}

/**
 * Starts the development server, and waits until both builders are done.
 *
 * @param given its port. Default: a free port
 */
export async function startStorybook(
  sandbox: string,
  { folder }: Project,
  env: Record<string, string> = {},
  given?: number,
): Promise<RunningStorybook> {
  const port = given ?? (await findPort())
  const args = ['dev', '--ci', '--no-version-updates', '--disable-telemetry', '--port', String(port)]
  const process = runTool(toolOf(sandbox), args, { folder, env: { ...quiet, ...env } })
  await process.untilSaid(/for manager and .+ for preview|Storybook ready/)
  return { origin: `http://localhost:${port}`, process, stop: () => process.stop() }
}

/** Builds into the project's folder `storybook-static`. */
export async function buildStorybook(
  sandbox: string,
  { folder }: Project,
): Promise<{ code: number | null; output: string }> {
  const tool = runTool(toolOf(sandbox), ['build', '--disable-telemetry'], { folder, env: quiet })
  return { code: await tool.exit, output: tool.output }
}
