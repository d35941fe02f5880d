import { resolve } from 'node:path'

import {
  checkOptions,
  checkStrategy,
  findHandlers,
  type HandlersFile,
  type OptionCheck,
} from '@understudy/engine/internal/dev'

import type { AddonOptions, PreviewOptions } from '../options.ts'

/**
 * The options that the addon reads of those that Storybook passes to a preset. They include the addon's own options.
 */
export interface PresetOptions extends AddonOptions {
  configDir: string
}

/** Returns the project's folder, in which the handlers module is. */
export function rootOf({ configDir }: PresetOptions): string {
  return resolve(configDir, '..')
}

/**
 * Finds the project's handlers module.
 *
 * @returns `undefined` if the option is not set and the project has no such module
 * @throws {UnderstudyError} if the option names a module that does not exist
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

const checks: Record<keyof AddonOptions, OptionCheck> = {
  handlers: (value) => (typeof value === 'string' || value === false ? undefined : 'a file name, or false'),
  onUnhandledRequest: checkStrategy,
  quiet: (value) => (typeof value === 'boolean' ? undefined : 'a boolean'),
  composedBy: (value) =>
    Array.isArray(value) && value.every(isOrigin)
      ? undefined
      : 'a list of origins, without a path: ["https://design.example.com"]',
}

/**
 * Returns a statement that declares the preview's options.
 *
 * @throws {UnderstudyError} if an option has a wrong type
 */
export function declareOptions({ handlers, onUnhandledRequest, quiet, composedBy }: PresetOptions): string {
  checkOptions({ handlers, onUnhandledRequest, quiet, composedBy }, checks, '@understudy/storybook-addon')
  const options: PreviewOptions = {
    ...(onUnhandledRequest !== undefined && { onUnhandledRequest }),
    ...(quiet !== undefined && { quiet }),
    ...(composedBy !== undefined && { composedBy }),
  }
  return `export const options = ${JSON.stringify(options)}`
}

function isOrigin(value: unknown): boolean {
  return typeof value === 'string' && URL.canParse(value) && new URL(value).origin === value
}
