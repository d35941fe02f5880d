import { afterEach, inject, vi } from 'vitest'

import type { Handler } from '../../core/handlers/request-handler.ts'
import type { UnhandledOptions } from '../../core/unhandled/unhandled-request.ts'
import { ws } from '../ws.ts'
import { intercept } from './intercept.ts'

let stop = (): void => {}

/** The URL of a real WebSocket server. */
export const upstream = inject('upstream').replace('http', 'ws')

export const link = ws.link(`${upstream}/*`)

afterEach(() => {
  stop()
  vi.restoreAllMocks()
})

/** Answers connections with handlers until the test ends. */
export function listen(handlers: Handler[], options?: UnhandledOptions): ReturnType<typeof intercept> {
  const interception = intercept(handlers, options)
  ;({ stop } = interception)
  return interception
}

/** Returns a path of the real server that no other test uses. */
export function createPath(kind: 'echo' | 'greet' | 'close'): string {
  return `/${kind}?id=${crypto.randomUUID()}`
}
