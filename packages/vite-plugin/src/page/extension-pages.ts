import type { ResolvedConfig } from 'vite'

import { hasPlugin } from '../has-plugin.ts'

/**
 * Returns what precedes the paths of scripts in the pages of a browser extension that a tool builds with this dev server;
 * `undefined` for other projects. The policy of an extension forbids inline scripts, so that its pages need the gate as a file.
 *
 * CRXJS answers every path of the extension's origin from the dev server. WXT writes pages to the disk: their paths would be files
 * of the extension, and it makes inline scripts modules, which run too late.
 */
export function findExtensionPrefix({
  plugins,
  server,
}: Pick<ResolvedConfig, 'plugins' | 'server'>): string | undefined {
  if (hasPlugin(plugins, 'crx:')) return ''
  if (hasPlugin(plugins, 'wxt:')) return server.origin
  return undefined
}
