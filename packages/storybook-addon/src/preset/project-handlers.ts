import { resolve } from 'node:path'

import { findHandlers, type HandlersFile } from '@understudy/engine/dev'

import type { AddonOptions, PreviewOptions } from '../options.ts'

/** What Storybook passes to a preset, as far as the addon reads it: its own options stand beside. */
export interface PresetOptions extends AddonOptions {
  configDir: string
}

function rootOf({ configDir }: PresetOptions): string {
  return resolve(configDir, '..')
}

/**
 * The project's handlers module.
 *
 * @returns nothing where the option does not name one, and there is none
 * @throws where the option names one that does not exist
 */
export function findProjectHandlers(options: PresetOptions): HandlersFile | undefined {
  const { handlers } = options
  if (handlers === false) return undefined
  try {
    return findHandlers(rootOf(options), handlers)
  } catch (error) {
    if (handlers === undefined) return undefined
    throw error
  }
}

/**
 * A statement that declares the preview's options.
 *
 * @throws for an option that the preview cannot take
 */
export function declareOptions({ onUnhandledRequest, quiet, composedBy }: PresetOptions): string {
  checkOrigins(composedBy)
  checkStrategy(onUnhandledRequest)
  const options: PreviewOptions = {
    ...(onUnhandledRequest !== undefined && { onUnhandledRequest }),
    ...(quiet !== undefined && { quiet }),
    ...(composedBy !== undefined && { composedBy }),
  }
  return `export const options = ${JSON.stringify(options)}`
}

function checkOrigins(value: unknown): void {
  if (value === undefined || (Array.isArray(value) && value.every(isOrigin))) return
  throw new Error(
    `Failed to read the options of @understudy/storybook-addon: "composedBy" is ${JSON.stringify(value)}. ` +
      'Give it a list of origins, without a path: ["https://design.example.com"].',
  )
}

function isOrigin(value: unknown): boolean {
  return typeof value === 'string' && URL.canParse(value) && new URL(value).origin === value
}

function checkStrategy(value: unknown): void {
  if (value === undefined || value === 'bypass' || value === 'warn' || value === 'error') return
  const isFunction = typeof value === 'function'
  throw new Error(
    'Failed to read the options of @understudy/storybook-addon: "onUnhandledRequest" is ' +
      `${isFunction ? 'a function, which does not reach the page of the stories' : JSON.stringify(value)}. ` +
      (isFunction
        ? 'Export it from the handlers module (src/mocks/handlers.ts), under this name.'
        : 'Give it "bypass", "warn" or "error".'),
  )
}
