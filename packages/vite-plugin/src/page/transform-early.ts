import type { Environment } from 'vite'

import { virtual } from '../virtual-modules.ts'

/**
 * Transforms a virtual module, and what it imports, before the page requests it. Packages that Vite finds while it still bundles others are
 * bundled with them. If it finds one later, it may reload the page.
 */
export function transformEarly(environment: Environment, id: string): void {
  if (environment.mode !== 'dev' || !environment.config.server.preTransformRequests) return
  // If it fails, so does the page's own request, and Vite reports that.
  environment.transformRequest(virtual(id)).catch(() => {})
}
