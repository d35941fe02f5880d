/**
 * The event of a closed connection, with the members of the platform's `CloseEvent`, which Node has only since version
 * 23.
 */
export interface WebSocketCloseEvent extends Event {
  readonly code: number
  readonly reason: string
  readonly wasClean: boolean
}

interface CloseInit extends EventInit {
  code: number
  reason: string
  wasClean: boolean
}

export function createCloseEvent(init: CloseInit): WebSocketCloseEvent {
  if (typeof CloseEvent === 'function') return new CloseEvent('close', init)
  const { code, reason, wasClean } = init
  return Object.assign(new Event('close', init), { code, reason, wasClean })
}
