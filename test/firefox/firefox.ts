import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { WebSocket } from 'ws'

/** A Firefox as people install it, by WebDriver BiDi: Playwright drives only a build of its own. */
export interface Firefox {
  /** Opens a tab, and waits until it is loaded. */
  open(url: string): Promise<FirefoxTab>
  close(): Promise<void>
}

export interface FirefoxTab {
  /** What an expression gives, or the promise that it gives: a text. */
  evaluate(expression: string): Promise<string | undefined>
  close(): Promise<void>
}

interface Answer {
  readonly id?: number
  readonly result?: unknown
  readonly message?: string
}

/**
 * Starts a Firefox with a profile of its own.
 *
 * @param preferences as on `about:config`
 * @see https://w3c.github.io/webdriver-bidi/
 */
export async function launchFirefox(
  command: string,
  preferences: Record<string, string | number | boolean> = {},
): Promise<Firefox> {
  const profile = await mkdtemp(join(tmpdir(), 'understudy-firefox-'))
  const lines = Object.entries(preferences).map((entry) => `user_pref(${JSON.stringify(entry).slice(1, -1)});`)
  await writeFile(join(profile, 'user.js'), lines.join('\n'))
  const args = ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port', '0', 'about:blank']
  const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'pipe'] })
  const socket = new WebSocket(`${await readAddress(child.stderr)}/session`)
  await once(socket, 'open')
  const calls = new Map<number, (answer: Answer) => void>()
  socket.on('message', (data: Buffer) => {
    const answer = JSON.parse(data.toString()) as Answer
    calls.get(answer.id ?? 0)?.(answer)
  })
  let lastId = 0
  async function call<Result>(method: string, params: object): Promise<Result> {
    const id = (lastId += 1)
    const answered = new Promise<Answer>((resolve) => {
      calls.set(id, resolve)
    })
    socket.send(JSON.stringify({ id, method, params }))
    const { result, message } = await answered
    if (result === undefined) throw new Error(`Failed to call ${method} of Firefox: ${message}`)
    return result as Result
  }
  await call('session.new', { capabilities: {} })

  return {
    async open(url) {
      const { context } = await call<{ context: string }>('browsingContext.create', { type: 'tab' })
      await call('browsingContext.navigate', { context, url, wait: 'complete' })
      return {
        async evaluate(expression) {
          const params = { expression, target: { context }, awaitPromise: true }
          const { result } = await call<{ result?: { value?: string } }>('script.evaluate', params)
          return result?.value
        },
        async close() {
          await call('browsingContext.close', { context })
        },
      }
    },
    async close() {
      const exit = once(child, 'exit')
      await call('browser.close', {})
      await exit
      await rm(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
    },
  }
}

/** The address that it says once it listens: `ws://127.0.0.1:43210`. */
function readAddress(output: NodeJS.ReadableStream): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    output.on('data', (chunk: Buffer) => {
      text += chunk.toString()
      const [, address] = /WebDriver BiDi listening on (ws:\/\/\S+)/.exec(text) ?? []
      if (address) resolve(address)
    })
    output.on('end', () => reject(new Error(`Failed to start Firefox. It said:\n${text}`)))
  })
}
