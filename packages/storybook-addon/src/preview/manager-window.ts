import type { InspectionPort } from '@understudy/engine/inspect'

import { readWindowMessage, sealWindowMessage, type WindowMessage, type WindowMessages } from '../window-messages.ts'
import { options } from './project-handlers.ts'

/**
 * The origins of which the window above this one may be, as far as the addon talks to it: this page's own, and those
 * that the option `composedBy` names.
 */
function listManagerOrigins(): readonly string[] {
  if (window.parent === window) return []
  if (readOrigin(window.parent) !== undefined) return [location.origin]
  const trusted = options.composedBy ?? []
  // Without this list of the browser's, each origin is tried: the browser delivers to none but the one that is meant.
  const above = location.ancestorOrigins?.[0]
  return above === undefined ? trusted : trusted.filter((origin) => origin === above)
}

/** Sends a message to the manager. A parent window of an origin that is not trusted gets nothing. */
export function tellManager<Name extends keyof WindowMessages>(name: Name, payload: WindowMessages[Name]): void {
  for (const origin of listManagerOrigins()) window.parent.postMessage(sealWindowMessage(name, payload), origin)
}

/** Calls a listener with the manager's messages. Returns what ends that. */
export function hearManager(listener: (message: WindowMessage) => void): () => void {
  const onMessage = ({ data, origin, source }: MessageEvent<unknown>): void => {
    // Any window that knows this one (an opener of the manager, for example) can send messages.
    if (source !== window.parent || source === window || !listManagerOrigins().includes(origin)) return
    const message = readWindowMessage(data)
    if (message) listener(message)
  }
  addEventListener('message', onMessage)
  return () => removeEventListener('message', onMessage)
}

/** The wire to the manager's panel. */
export const managerPort: InspectionPort = {
  send: (message) => tellManager('inspection', message),
  listen: (listener) =>
    hearManager(({ name, payload }) => {
      if (name === 'inspection') listener(payload)
    }),
}

/**
 * Whether a page of an origin that is not trusted shows this one in a frame, however many pages are between them. It
 * chooses this page's address.
 */
export function isInForeignFrame(): boolean {
  const trusted = options.composedBy ?? []
  const ancestors = location.ancestorOrigins
  if (ancestors) return Array.from(ancestors).some((origin) => origin !== location.origin && !trusted.includes(origin))
  for (let current: Window = window; current !== current.parent;) {
    current = current.parent
    if (readOrigin(current) === undefined) return true
  }
  return false
}

/** @returns nothing for a window of another origin */
function readOrigin(other: Window): string | undefined {
  try {
    return other.location.origin === location.origin ? location.origin : undefined
  } catch {
    return undefined
  }
}
