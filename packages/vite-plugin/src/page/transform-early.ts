import type { Environment } from 'vite'

import { virtual } from '../virtual-modules.ts'

/**
 * Transforms a virtual module, and what it imports, before the page requests it. Vite waits for modules that are being transformed before it
 * sends bundled packages. If it finds another package later, it may reload the page.
 */
export function transformEarly(environment: Environment, id: string): void {
  if (environment.mode !== 'dev' || !environment.config.server.preTransformRequests) return
  // If it fails, so does the page's own request, and Vite reports that.
  environment.transformRequest(virtual(id)).catch(() => {})
}
