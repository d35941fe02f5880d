import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

/** Serves an app with Vite in a separate process. */
export async function serveApp(folder: string): Promise<{ child: ChildProcess; url: string }> {
  const child = fork(join(import.meta.dirname, 'serve-app.ts'), [folder])
  const [url] = (await once(child, 'message')) as [string]
  return { child, url }
}

/** Ends a process that {@link serveApp} started. */
export async function endApp(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit')
  child.disconnect()
  await ended
}
