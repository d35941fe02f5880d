/**
 * The page's first script. A build plugin puts it, bundled into one classic script, before everything
 * else in the document's head; a second evaluation on the same page does nothing.
 *
 * Held are requests by `fetch`, `XMLHttpRequest`, `EventSource`, `WebSocket` and `navigator.sendBeacon`,
 * and by the `src`, `srcset` and `poster` that code gives to images, audio and video.
 *
 * Not held, because no script of the page can hold it:
 * - synchronous XMLHttpRequests, which cannot wait (a warning says so);
 * - what the parser requests: the document's own elements, and those in `innerHTML`, `document.write()`
 *   or cloned from a template;
 * - scripts, style sheets and what they import, fonts, frames, `<link>`, `<object>`, `<embed>`, `<track>`,
 *   `<input type=image>`, SVG's `<image>`, navigation, forms;
 * - workers' requests, which their own scripts make.
 */
import { installGate } from './install-gate.ts'

// The same modules may be evaluated in workers and on servers, which have nothing to hold.
if (typeof document === 'object') installGate(globalThis as Window & typeof globalThis)
