import { describe } from '../describe.ts'
import { failure } from '../failure.ts'

/** `'real'`: the usual response time of a server; `'infinite'`: never ends. */
export type DelayMode = 'real' | 'infinite'

/** The longest that `setTimeout` can wait: it takes a signed 32-bit integer. */
const longest = 2_147_483_647

/**
 * Waits within a resolver.
 *
 * @param duration milliseconds, `'real'` (100–400 ms in a browser; 5 ms in Node, where tests run) or `'infinite'`.
 *   Default: `'real'`.
 * @throws {UnderstudyError} if the mode is unknown, or the duration is longer than 2,147,483,647 ms
 * @example
 * http.get('/slow', async () => { await delay(1500); return HttpResponse.json([]) })
 */
export function delay(duration: DelayMode | number = 'real'): Promise<void> {
  if (duration === 'infinite') return new Promise(() => {})
  const milliseconds = duration === 'real' ? realistic() : duration
  if (typeof milliseconds !== 'number' || Number.isNaN(milliseconds)) {
    return Promise.reject(
      failure(
        'US0211',
        'delay a response',
        `${describe(duration)} is not a duration`,
        'Use "real", "infinite" or milliseconds.',
      ),
    )
  }
  if (milliseconds > longest) {
    return Promise.reject(
      failure(
        'US0212',
        'delay a response',
        `${milliseconds} ms is longer than a timer can wait`,
        `Use at most ${longest} ms, or "infinite".`,
      ),
    )
  }
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds)
  })
}

function realistic(): number {
  return isNode() ? 5 : Math.floor(100 + Math.random() * 300)
}

function isNode(): boolean {
  const { process } = globalThis as { process?: { versions?: { node?: string } } }
  return typeof process?.versions?.node === 'string'
}
