import { PageLocks } from './page-locks.ts'

/** A channel between the links of pages of one origin. */
export interface PageChannel {
  /** The id of this page, unique among pages. */
  readonly page: string
  readonly locks: PageLocks
  post(message: unknown): void
}

export interface PageChannelOptions {
  /** Called when the page unloads, or enters the browser's back/forward cache. */
  readonly leave: () => void
  /** Called when the page returns from the back/forward cache. */
  readonly enter: () => void
}

interface OpenChannel extends PageChannel {
  readonly listeners: Set<(data: unknown) => void>
}

const channelName = 'understudy:web-socket'

/** `undefined`: not opened yet. `null`: there are no other pages, or the browser refuses the channel. */
let opened: OpenChannel | null | undefined

/**
 * Opens the channel to the other pages of the origin. All links of a page share it.
 *
 * @returns `undefined` outside of pages, and if the browser refuses the channel (Firefox, with site data blocked)
 */
export function openPageChannel(
  receive: (data: unknown) => void,
  { leave, enter }: PageChannelOptions,
): PageChannel | undefined {
  opened ??= open()
  if (!opened) return undefined
  opened.listeners.add(receive)
  addEventListener('pagehide', leave)
  addEventListener('pageshow', (event) => {
    if (event.persisted) enter()
  })
  return opened
}

function open(): OpenChannel | null {
  // A channel of Node would keep the process running.
  const isBrowserPage = typeof document !== 'undefined' && 'isSecureContext' in globalThis
  if (!isBrowserPage || typeof BroadcastChannel === 'undefined') return null
  try {
    const channel = new BroadcastChannel(channelName)
    const listeners = new Set<(data: unknown) => void>()
    channel.addEventListener('message', ({ data, origin }: MessageEvent<unknown>) => {
      if (origin !== location.origin) return
      for (const receive of listeners) receive(data)
    })
    const page = Math.random().toString(36).slice(2)
    const locks = new PageLocks(`${channelName}:${page}`)
    addEventListener('pagehide', () => locks.release())
    addEventListener('pageshow', () => locks.resume())
    return { page, locks, listeners, post: (message) => channel.postMessage(message) }
  } catch {
    return null
  }
}
