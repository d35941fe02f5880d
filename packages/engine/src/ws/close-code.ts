import { failure } from '../core/failure.ts'

/** The connection has done what it was opened for. */
export const normal = 1000
/** The code of a broken connection. */
export const abnormal = 1006

/**
 * Checks the arguments with which an app closes its socket.
 *
 * @throws `InvalidAccessError` for a code that apps may not use, `SyntaxError` for a reason of more than 123 bytes
 * @see https://websockets.spec.whatwg.org/#dom-websocket-close
 */
export function checkClientClose(code: number | undefined, reason: string | undefined): void {
  if (code !== undefined && code !== 1000 && !(code >= 3000 && code <= 4999)) {
    throw new DOMException(`The code must be 1000, or between 3000 and 4999: ${code}`, 'InvalidAccessError')
  }
  checkReason(reason, 'close the WebSocket')
}

/**
 * Checks the arguments with which a handler closes a connection. Servers may also use the protocol's own codes.
 *
 * @param operation the operation, as the continuation of "Failed to"
 * @throws as {@link checkClientClose} does
 * @see https://www.rfc-editor.org/rfc/rfc6455#section-7.4
 */
export function checkServerClose(code: number, reason: string | undefined, operation: string): void {
  if (!Number.isInteger(code) || code < 1000 || (code > 1015 && code < 3000) || code > 4999) {
    const { message } = failure(
      'US0604',
      operation,
      `${String(code)} is not a valid close code`,
      'Use 1000 (done), 1001 to 1015 (the protocol’s own), or 3000 to 4999 (yours).',
    )
    throw new DOMException(message, 'InvalidAccessError')
  }
  checkReason(reason, operation)
}

function checkReason(reason: string | undefined, operation: string): void {
  if (reason === undefined || new TextEncoder().encode(reason).byteLength <= 123) return
  const { message } = failure('US0605', operation, 'the reason is longer than 123 bytes', 'Shorten it.')
  throw new DOMException(message, 'SyntaxError')
}

/** Cuts a text so that it fits into a close frame. */
export function toReason(text: string): string {
  let reason = text
  while (new TextEncoder().encode(reason).byteLength > 123) reason = reason.slice(0, -1)
  return reason.toWellFormed()
}
