import { rm } from 'node:fs/promises'
import { join } from 'node:path'

import { createHeavyProject, type Project } from '../../../test/acceptance/project.ts'
import { findPort, runTool, type ToolProcess } from '../../../test/acceptance/run-tool.ts'

export const cli: string = join(import.meta.dirname, '../node_modules/next/dist/bin/next')

/** A copy of the app. Turbopack takes the folder of the nearest lockfile for the root: that has `node_modules`. */
export async function createApp(): Promise<Project> {
  const project = await createHeavyProject('nextjs')
  await rm(join(project.folder, 'package-lock.json'))
  return project
}

export interface NextServer {
  readonly origin: string
  readonly process: ToolProcess
}

export async function startDev(
  project: Project,
  { args = [], env = {} }: { args?: readonly string[]; env?: Record<string, string> } = {},
): Promise<NextServer> {
  const port = await findPort()
  const process = runTool(cli, ['dev', '--port', String(port), ...args], {
    folder: project.folder,
    env: { NEXT_TELEMETRY_DISABLED: '1', ...env },
  })
  await process.untilSaid(/Ready in/)
  return { origin: `http://localhost:${port}`, process }
}
