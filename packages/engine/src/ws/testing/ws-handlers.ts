import { afterEach, vi } from 'vitest'

import type { Handler } from '../../core/handlers/request-handler.ts'
import { ws } from '../ws.ts'
import { intercept } from './intercept.ts'

let stop = (): void => {}

afterEach(() => {
  stop()
  vi.restoreAllMocks()
})

/** Answers connections with handlers until the test ends. */
export function listen(...handlers: Handler[]): ReturnType<typeof intercept> {
  const interception = intercept(handlers)
  ;({ stop } = interception)
  return interception
}

export const chat = ws.link('wss://example.com/chat/:room')
