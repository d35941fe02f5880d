import { spawn, type ChildProcess } from 'node:child_process'
import { createServer, type AddressInfo } from 'node:net'
import { stripVTControlCharacters } from 'node:util'

/** A build tool's process. */
export interface ToolProcess {
  /** Its output, without colors. */
  readonly output: string
  /** The exit code. */
  readonly exit: Promise<number | null>
  /** Waits until its output matches a pattern, from a position on. */
  untilSaid(pattern: RegExp, from?: number): Promise<RegExpExecArray>
  stop(): Promise<void>
}

export interface RunOptions {
  folder: string
  env?: Record<string, string>
}

/**
 * The limit on the wait for a line of a tool, in milliseconds. A cold start of Storybook for Angular or Qwik City took longer than a
 * minute on a busy machine.
 */
const outputTimeout = 180_000

const running = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of running) kill(child, 'SIGKILL')
})

function kill({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, signal)
  } catch {
    // All processes of the group have ended.
  }
}

/**
 * Runs a Node script as in a developer's terminal. It removes the environment variables of the test runner, because
 * build tools behave differently with them.
 */
export function runTool(script: string, args: readonly string[], { folder, env = {} }: RunOptions): ToolProcess {
  const { PATH = '', HOME = '', TMPDIR, NODE_COMPILE_CACHE } = process.env
  const child = spawn(process.execPath, [script, ...args], {
    cwd: folder,
    env: {
      PATH,
      HOME,
      ...(TMPDIR && { TMPDIR }),
      // Some tools switch this cache on themselves. It changes nothing that a tool does.
      ...(NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE }),
      NO_COLOR: '1',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    // Start a new process group, so that its child processes end with it.
    detached: true,
  })
  running.add(child)
  let output = ''
  const listeners = new Set<() => void>()
  const hear = (chunk: string): void => {
    output += stripVTControlCharacters(chunk)
    for (const listener of listeners) listener()
  }
  child.stdout.setEncoding('utf8').on('data', hear)
  child.stderr.setEncoding('utf8').on('data', hear)
  const exit = new Promise<number | null>((resolve) => {
    const end = (code: number | null): void => {
      running.delete(child)
      resolve(code)
      for (const listener of listeners) listener()
    }
    child.on('close', end)
    // A process that the tool has started in another group may keep the streams open.
    child.on('exit', (code) => setTimeout(end, 2000, code).unref())
  })

  return {
    get output() {
      return output
    },
    exit,
    untilSaid(pattern, from = 0) {
      return new Promise((resolve, reject) => {
        const fail = (reason: string): void => {
          settle()
          reject(new Error(`Failed to wait for ${pattern}: ${reason}. The tool has said:\n${output}`))
        }
        const timer = setTimeout(() => fail('it did not come'), outputTimeout)
        const settle = (): void => {
          clearTimeout(timer)
          listeners.delete(check)
        }
        const check = (): void => {
          const match = pattern.exec(output.slice(from))
          if (match) {
            settle()
            resolve(match)
          } else if (!running.has(child)) {
            fail(`the tool ended with code ${child.exitCode}`)
          }
        }
        listeners.add(check)
        check()
      })
    },
    async stop() {
      if (!running.has(child)) return
      kill(child, 'SIGTERM')
      const last = setTimeout(() => kill(child, 'SIGKILL'), 5000)
      await exit
      clearTimeout(last)
    },
  }
}

/** Returns a free port of the loopback interface, because a server that restarts must use the same URL. */
export async function findPort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => {
    server.close(resolve)
  })
  return port
}
