/**
 * The page's first script. A build plugin bundles it into one classic script and inserts it at the start of the
 * document's head. A second evaluation on the same page does nothing.
 *
 * The gate holds requests of `fetch`, `XMLHttpRequest`, `EventSource`, `WebSocket` and `navigator.sendBeacon`, and requests
 * that start when code sets `src`, `srcset` or `poster` of images, audio and video. It also holds the creation of web workers and
 * shared workers.
 *
 * A script of the page cannot hold these requests:
 * - synchronous XMLHttpRequests, which cannot wait (the gate prints a warning);
 * - requests of the parser: elements of the document, of `innerHTML` and `document.write()`, and clones of templates;
 * - scripts, style sheets and their imports, fonts, frames, `<link>`, `<object>`, `<embed>`, `<track>`,
 *   `<input type=image>`, SVG's `<image>`, navigation, forms;
 * - requests from frames, whose scripts are separate.
 */
import { installGate } from './install-gate.ts'

// Workers and servers may evaluate the same modules, but they do not need a gate.
if (typeof document === 'object') installGate(globalThis as Window & typeof globalThis)
