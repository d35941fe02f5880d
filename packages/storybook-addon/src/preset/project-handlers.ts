import { resolve } from 'node:path'

import {
  checkOptions,
  checkStrategy,
  findHandlers,
  listHandlersPaths,
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

/** What the preview loads: the handlers module, the reason why it is missing, or neither if the project has no handlers. */
export interface FoundHandlers {
  readonly file?: HandlersFile
  /** The name of the missing file, and what is wrong. */
  readonly missing?: { readonly name: string; readonly reason: string }
}

/**
 * Returns a function that looks for the project's handlers module. It remembers a module that it has found. If that module is missing
 * later, it is not a project without handlers: its requests must not reach the network.
 */
export function createHandlersSearch(options: PresetOptions): () => FoundHandlers {
  const { handlers } = options
  let last: HandlersFile | undefined
  return () => {
    if (handlers === false) return {}
    try {
      last = findHandlers(rootOf(options), handlers)
      return { file: last }
    } catch (error) {
      if (last) return { missing: { name: last.name, reason: 'The file does not exist.' } }
      return handlers === undefined ? {} : { missing: { name: handlers, reason: (error as Error).message } }
    }
  }
}

/** Returns every path at which the handlers module may be created later. */
export function listProjectPaths(options: PresetOptions): string[] {
  const { handlers } = options
  return handlers === false ? [] : listHandlersPaths(rootOf(options), handlers)
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
