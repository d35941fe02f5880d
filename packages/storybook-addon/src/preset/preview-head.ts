import { readGateScript } from '@understudy/engine/internal/dev'

import type { PresetOptions } from './project-handlers.ts'
import { createHotUpdatesScript } from './share-hot-updates.ts'

interface HeadOptions extends PresetOptions {
  /** Set by `storybook dev` and `storybook build`. */
  configType?: string
  /** Set by `storybook dev`. */
  port?: number
  presets: { apply(name: 'core'): Promise<{ builder?: string | { name?: string } } | undefined> }
}

/**
 * What Storybook's preview needs to render a story. If mocking never starts, only the requests from stories are held. Rsbuild
 * sends lazily compiled modules, such as a handlers module, through the socket of its hot updates.
 */
const neverHeld = ['./index.json', '/storybook-server-channel', '/rsbuild-hmr']

/**
 * Adds the gate to the preview. Otherwise requests that the preview makes while its modules load, for example for
 * translations, reach the network before mocking is on.
 */
export async function previewHead(head: string | undefined, options: HeadOptions): Promise<string> {
  const before = head ?? ''
  const isDev = options.configType === 'DEVELOPMENT'
  // Storybook's Vitest plugin also adds the head, to the page of a test. Vitest needs its own connections there.
  if (isDev && options.port === undefined) return before
  // The gate comes last, because it keeps the `EventSource` that it finds.
  const scripts = [isDev && (await isWebpack(options)) ? createHotUpdatesScript() : '', createGateScript()]
  return [...scripts.filter(Boolean).map((script) => `<script>${script}</script>`), before].join('\n')
}

async function isWebpack({ presets }: HeadOptions): Promise<boolean> {
  const { builder } = (await presets.apply('core')) ?? {}
  const name = typeof builder === 'string' ? builder : (builder?.name ?? '')
  return name.includes('webpack')
}

/** The text must not contain `$&` and the like, because Storybook inserts it by `String.prototype.replace()`. */
function createGateScript(): string {
  return `globalThis[Symbol.for('understudy')] = { neverHeld: ${JSON.stringify(neverHeld)} };\n${readGateScript()}`
}
