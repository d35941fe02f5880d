import type { InspectionPort } from '@understudy/engine/inspect'

import { readWindowMessage, sealWindowMessage, type WindowMessage, type WindowMessages } from '../window-messages.ts'
import { options } from './project-handlers.ts'

/**
 * Returns the trusted origins of the parent window: this page's own, and those of the option `composedBy`.
 */
function listManagerOrigins(): readonly string[] {
  if (window.parent === window) return []
  if (readOrigin(window.parent) !== undefined) return [location.origin]
  const trusted = options.composedBy ?? []
  // Without `ancestorOrigins`, try each origin: the browser delivers a message only to a window of that origin.
  const above = location.ancestorOrigins?.[0]
  return above === undefined ? trusted : trusted.filter((origin) => origin === above)
}

/** Sends a message to the manager. A parent window with an untrusted origin gets no messages. */
export function tellManager<Name extends keyof WindowMessages>(name: Name, payload: WindowMessages[Name]): void {
  for (const origin of listManagerOrigins()) window.parent.postMessage(sealWindowMessage(name, payload), origin)
}

/** Calls a listener with the manager's messages. Returns a function that ends this. */
export function hearManager(listener: (message: WindowMessage) => void): () => void {
  const onMessage = ({ data, origin, source }: MessageEvent<unknown>): void => {
    // Any window with a reference to this one (for example an opener of the manager) can send messages.
    if (source !== window.parent || source === window || !listManagerOrigins().includes(origin)) return
    const message = readWindowMessage(data)
    if (message) listener(message)
  }
  addEventListener('message', onMessage)
  return () => removeEventListener('message', onMessage)
}

/** The port to the manager's panel. */
export const managerPort: InspectionPort = {
  send: (message) => tellManager('inspection', message),
  listen: (listener) =>
    hearManager(({ name, payload }) => {
      if (name === 'inspection') listener(payload)
    }),
}

/**
 * Returns whether a page of an untrusted origin contains this page, directly or indirectly. Such a page controls this
 * page's URL.
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

/** @returns `undefined` for a window of another origin */
function readOrigin(other: Window): string | undefined {
  try {
    return other.location.origin === location.origin ? location.origin : undefined
  } catch {
    return undefined
  }
}
