import { createElement } from './create-element.ts'

/**
 * The session storage key of the panel's settings. They are in the URL of the frame, and a reload of the app creates a
 * new frame.
 */
const hashKey = 'understudy:dock-hash'

/**
 * Creates the frame with the panel. In a frame, the styles of the app and of the panel do not affect each other.
 *
 * @param onKey called for keys that are pressed in the panel
 */
export function createPanelFrame(panel: string, onKey: (event: KeyboardEvent) => void): HTMLIFrameElement {
  const frame = createElement('iframe', { title: 'Understudy panel', src: panel + readHash() })
  frame.addEventListener('load', () => {
    // `null` for the browser's own page about an error, whose window is of another origin.
    const content = frame.contentDocument?.defaultView
    content?.addEventListener('keydown', onKey)
    // The page is left, or the app removed the dock.
    content?.addEventListener('pagehide', () => keepHash(content))
  })
  addEventListener('securitypolicyviolation', ({ blockedURI, effectiveDirective }) => {
    if (effectiveDirective !== 'frame-src' || !panel.startsWith(blockedURI)) return
    const text = "The page's Content Security Policy forbids the panel here. Add frame-src 'self', or open it in a tab."
    frame.replaceWith(createElement('p', { role: 'status' }, text))
  })
  return frame
}

function readHash(): string {
  try {
    return sessionStorage.getItem(hashKey) ?? ''
  } catch {
    return ''
  }
}

function keepHash({ location }: Window): void {
  try {
    sessionStorage.setItem(hashKey, location.hash)
  } catch {
    // The settings of the panel end with this page.
  }
}
