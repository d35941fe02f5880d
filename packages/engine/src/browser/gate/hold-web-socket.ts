import type { HeldPage } from './held-page.ts'
import { holdConnections, type Unconnected } from './hold-connections.ts'
import { devServerProtocol } from './never-held.ts'

/** Holds WebSockets: their state is `CONNECTING` until the gate opens. */
export function holdWebSocket(page: HeldPage): void {
  const { scope } = page

  holdConnections(page, 'WebSocket', (target, [url, protocols]) => {
    const resolved = page.resolve(url)
    const names = toNames(protocols)
    if (
      // The platform's constructor rejects these, with its own error.
      !resolved ||
      resolved.href.includes('#') ||
      new Set(names).size < names.length ||
      !names.every((name) => /^[!#$%&'*+\-.^`|~\w]+$/.test(name)) ||
      names.some((name) => devServerProtocol.test(name))
    ) {
      return undefined
    }
    resolved.protocol = resolved.protocol.replace('http', 'ws')

    let binaryType: unknown = 'blob'
    const standIn = {
      url: resolved.href,
      bufferedAmount: 0,
      extensions: '',
      protocol: '',
      readyState: 0,
      get binaryType() {
        return binaryType
      },
      set binaryType(type) {
        // The platform ignores all other values.
        if (type === 'blob' || type === 'arraybuffer') binaryType = type
      },
      send() {
        if (arguments.length === 0) throw new scope.TypeError('1 argument required, but only 0 present.')
        if (standIn.readyState === 0) {
          throw new scope.DOMException('Still in CONNECTING state.', 'InvalidStateError')
        }
      },
      close(code = 1000, reason = '') {
        if (code !== 1000 && !(code >= 3000 && code <= 4999)) {
          throw new scope.DOMException(`The code must be 1000, or between 3000 and 4999: ${code}`, 'InvalidAccessError')
        }
        if (new Blob([reason]).size > 123) {
          throw new scope.DOMException('The reason is longer than 123 bytes.', 'SyntaxError')
        }
        if (standIn.readyState > 0) return
        standIn.readyState = 2
        unconnected.withdraw?.()
        page.later(fail)
      },
    }
    const fail = (): void => {
      standIn.readyState = 3
      target.dispatchEvent(new scope.Event('error'))
      target.dispatchEvent(new scope.CloseEvent('close', { code: 1006 }))
    }
    const unconnected: Unconnected = { args: [resolved, names], standIn, fail }
    return unconnected
  })
}

/** Reads the constructor's second argument as the platform does. */
function toNames(protocols: unknown): string[] {
  if (protocols === undefined) return []
  return typeof protocols !== 'string' && Symbol.iterator in Object(protocols)
    ? Array.from(protocols as Iterable<unknown>, String)
    : [`${protocols as string}`]
}
