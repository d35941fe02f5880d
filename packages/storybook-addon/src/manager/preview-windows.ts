import type { InspectionPort } from '@understudy/engine/inspect'

import { readWindowMessage, sealWindowMessage, type WindowMessage, type WindowMessages } from '../window-messages.ts'

/** A preview: the manager's own, or that of a composed Storybook. */
export interface Preview {
  readonly window: Window
  /** The origin of the page that Storybook loaded in the frame. */
  readonly origin: string
  /** The composed Storybook's id; `null` for the manager's own preview. */
  readonly refId: string | null
}

/**
 * The windows that have sent a message. Windows of other origins get no messages before that, because they may still be
 * empty.
 */
const heard = new WeakSet<Window>()

/** Returns the frames that Storybook's manager created for previews. */
function listPreviews(): Preview[] {
  return Array.from(document.querySelectorAll<HTMLIFrameElement>('iframe[data-is-storybook]')).flatMap((frame) => {
    const { contentWindow, src, id } = frame
    if (!contentWindow || !URL.canParse(src, document.baseURI)) return []
    const { origin } = new URL(src, document.baseURI)
    const refId = /^storybook-ref-(.+)$/.exec(id)?.[1] ?? null
    return origin === 'null' ? [] : [{ window: contentWindow, origin, refId }]
  })
}

/** Sends a message to all previews, or to the window of one. */
export function tellPreviews<Name extends keyof WindowMessages>(
  name: Name,
  payload: WindowMessages[Name],
  only?: Window,
): void {
  for (const preview of listPreviews()) {
    const isMeant = only === undefined || only === preview.window
    const isThere = preview.origin === location.origin || heard.has(preview.window)
    // The browser drops the message if the frame was navigated to another origin.
    if (isMeant && isThere) preview.window.postMessage(sealWindowMessage(name, payload), preview.origin)
  }
}

/** Calls a listener with the messages of previews. Returns a function that removes it. */
export function hearPreviews(listener: (message: WindowMessage, preview: Preview) => void): () => void {
  const onMessage = ({ data, origin, source }: MessageEvent<unknown>): void => {
    const message = readWindowMessage(data)
    if (!message) return
    const preview = listPreviews().find((each) => each.window === source && each.origin === origin)
    if (!preview) return
    heard.add(preview.window)
    listener(message, preview)
  }
  addEventListener('message', onMessage)
  return () => removeEventListener('message', onMessage)
}

/**
 * The port to the networks of all previews. Each network belongs to the window that reported it first: a composed
 * Storybook gets no data of other networks, and cannot send messages in their name.
 */
export const previewsPort: InspectionPort = openPreviewsPort()

function openPreviewsPort(): InspectionPort {
  const owners = new Map<string, Window>()
  return {
    send(message) {
      const { network } = message as { network?: string | null }
      if (typeof network !== 'string') tellPreviews('inspection', message)
      else if (owners.has(network)) tellPreviews('inspection', message, owners.get(network))
    },
    listen: (listener) =>
      hearPreviews(({ name, payload }, { window, origin }) => {
        if (name !== 'inspection' || typeof payload !== 'object' || payload === null) return
        const { network, info } = payload as { network?: unknown; info?: { url?: unknown } | null }
        if (typeof network !== 'string' || (owners.get(network) ?? window) !== window) return
        // The panel finds a story's network by the network's URL.
        const url = info?.url
        if (typeof url === 'string' && !(URL.canParse(url) && new URL(url).origin === origin)) return
        owners.set(network, window)
        listener(payload)
      }),
  }
}
