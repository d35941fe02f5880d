import { describe as describeValue } from '../core/describe.ts'
import { editDistance } from '../core/edit-distance.ts'
import { failure } from '../core/failure.ts'
import type { UnhandledRequestStrategy } from '../core/unhandled/unhandled-request.ts'
import { checkNodeVersion } from './check-node-version.ts'

/** The options that all plugins have. */
export interface PluginOptions {
  /**
   * The module that exports the handlers (`handlers`, or by default), relative to the project's root.
   * Default: `src/mocks/handlers.*`, `mocks/handlers.*`.
   */
  handlers?: string
  /** `false`: no mocking. `true`: mocking in builds, too. Default: mocking in development, and not in builds. */
  enabled?: boolean
  /**
   * What to do with a request that no handler matches. To use a function, export it from the handlers module under this
   * name. Default: `'warn'`.
   */
  onUnhandledRequest?: UnhandledRequestStrategy
  /** Disables the console line for each request. Default: `false`. */
  quiet?: boolean
  /**
   * Sets `window.understudy` and `window.worker` for test runners, then dispatches the event `understudy:exposed` on
   * the window. Default: `false`.
   */
  expose?: boolean
  /**
   * Serves the panel at `__understudy/` under the dev server's base path, and shows a button for it in the app's pages.
   * Default: `true`.
   */
  panel?: boolean | PanelOptions
  /** The service worker's script under the tool's base path. Default: `{ file: 'understudy-worker.js' }`. */
  worker?: {
    file?: string
    /** The path that the worker controls. Default: the base path. */
    scope?: string
  }
  /**
   * What to do if app code imports handlers or the engine in a build without mocks: `'error'` fails the build, `'warn'`
   * only prints a warning. Both list the imports that lead there. Default: `'error'`.
   */
  leaks?: 'error' | 'warn'
}

/** The options of the panel. */
export interface PanelOptions {
  /**
   * Shows the button in the app's pages: `true` always, `false` never. Default: shows it unless a tool controls the
   * browser (`navigator.webdriver`), so that it does not appear in tests and screenshots.
   */
  dock?: boolean
  /** The key that opens and closes the panel in the app's pages; `false` for none. Default: `'Alt+Shift+U'`. */
  shortcut?: string | false
}

/** What a page needs to know to show the panel. */
export interface ResolvedDock {
  /** Whether the button is also shown if a tool controls the browser. */
  isForced: boolean
  shortcut: string | null
}

/** {@link PluginOptions}, with the defaults filled in. */
export interface ResolvedOptions {
  handlers: string | undefined
  enabled: boolean | undefined
  onUnhandledRequest: UnhandledRequestStrategy
  quiet: boolean
  expose: boolean
  panel: boolean
  /** `undefined` if pages do not show the panel. */
  dock: ResolvedDock | undefined
  worker: { file: string; scope: string | undefined }
  leaks: 'error' | 'warn'
}

/** Returns the allowed values of an option, as the continuation of "It takes"; `undefined` if the value is allowed. */
export type OptionCheck = (value: unknown) => string | undefined

const ofType =
  (type: string): OptionCheck =>
  (value) =>
    typeof value === type ? undefined : `a ${type}`

const fileName: OptionCheck = (value) => (typeof value === 'string' && value !== '' ? undefined : 'a file name')

/** Arrays have the type of objects, but none of the options. */
const isRecord = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const strategies: readonly unknown[] = ['bypass', 'warn', 'error'] satisfies UnhandledRequestStrategy[]

/** Checks the option `onUnhandledRequest`, which must be plain data: it becomes part of a module. */
export const checkStrategy: OptionCheck = (value) => {
  if (strategies.includes(value)) return undefined
  return typeof value === 'function'
    ? '"bypass", "warn" or "error": a function is exported by the handlers module, as "onUnhandledRequest"'
    : '"bypass", "warn" or "error"'
}

const checks: Record<keyof PluginOptions, OptionCheck> = {
  handlers: fileName,
  enabled: ofType('boolean'),
  onUnhandledRequest: checkStrategy,
  quiet: ofType('boolean'),
  expose: ofType('boolean'),
  panel: (value) =>
    typeof value === 'boolean' || isRecord(value) ? undefined : 'a boolean, or an object: { dock, shortcut }',
  worker: (value) => (isRecord(value) ? undefined : 'an object: { file, scope }'),
  leaks: (value) => (value === 'error' || value === 'warn' ? undefined : '"error" or "warn"'),
}

const workerChecks: Record<keyof NonNullable<PluginOptions['worker']>, OptionCheck> = {
  file: (value) =>
    typeof value === 'string' && /^[^/?#][^?#]*\.m?js$/.test(value) && !/(?:^|[/\\])\.\.[/\\]/.test(value)
      ? undefined
      : 'a file name that ends in .js, without a slash at its start and without ".."',
  // A browser resolves other scopes against each page, or refuses them, and the worker is missing.
  scope: (value) =>
    typeof value === 'string' && /^(?:\/(?!\/)|\.{1,2}\/)/.test(value)
      ? undefined
      : 'a path that begins with a slash, such as "/app/"',
}

const shortcutPattern = /^((Alt|Ctrl|Meta|Shift)\+)+([A-Z0-9]|F[0-9]{1,2})$/

const panelChecks: Record<keyof PanelOptions, OptionCheck> = {
  dock: ofType('boolean'),
  shortcut: (value) =>
    value === false || (typeof value === 'string' && shortcutPattern.test(value))
      ? undefined
      : 'modifiers and a key, such as "Alt+Shift+U", or false',
}

/**
 * Reads a plugin's options.
 *
 * @param plugin the plugin's name in the configuration
 * @param own the additional options of this plugin
 * @throws {UnderstudyError} if an option does not exist (the message suggests the closest one) or has a wrong type; on
 * Node before 22.12
 */
export function readOptions(
  options: unknown,
  plugin: string,
  own: Readonly<Record<string, OptionCheck>> = {},
): ResolvedOptions {
  checkNodeVersion(`run ${plugin}`)
  const given = (options ?? {}) as PluginOptions
  if (options !== undefined && options !== null && !isRecord(options)) {
    const kind = Array.isArray(options) ? 'an array' : `a ${typeof options}`
    throw failure('US0118', `read the options of ${plugin}`, `they are ${kind}`, 'Pass an object.')
  }
  checkOptions(given, { ...checks, ...own }, plugin)
  checkOptions(given.worker ?? {}, workerChecks, plugin, 'worker.')
  const panel = typeof given.panel === 'object' ? given.panel : {}
  checkOptions(panel, panelChecks, plugin, 'panel.')
  return {
    handlers: given.handlers,
    enabled: given.enabled,
    onUnhandledRequest: given.onUnhandledRequest ?? 'warn',
    quiet: given.quiet ?? false,
    expose: given.expose ?? false,
    panel: given.panel !== false,
    dock:
      given.panel === false || panel.dock === false
        ? undefined
        : { isForced: panel.dock ?? false, shortcut: (panel.shortcut ?? 'Alt+Shift+U') || null },
    worker: { file: given.worker?.file ?? 'understudy-worker.js', scope: given.worker?.scope },
    leaks: given.leaks ?? 'error',
  }
}

/**
 * Checks each given option.
 *
 * @param known the existing options
 * @param prefix the prefix of each name in messages, for nested options
 * @throws {UnderstudyError} if an option does not exist (the message suggests the closest one) or has a wrong type
 */
export function checkOptions(
  values: object,
  known: Readonly<Record<string, OptionCheck>>,
  plugin: string,
  prefix: string = '',
): void {
  const operation = `read the options of ${plugin}`
  for (const [name, value] of Object.entries(values) as [string, unknown][]) {
    const expected = Object.hasOwn(known, name) ? known[name] : undefined
    if (!expected) {
      const names = Object.keys(known)
      const meant = closest(name, names)
      throw failure(
        'US0119',
        operation,
        `there is no option "${prefix}${name}"`,
        meant
          ? `Did you mean "${prefix}${meant}"?`
          : `The options are: ${names.map((each) => prefix + each).join(', ')}.`,
      )
    }
    const wanted = value === undefined ? undefined : expected(value)
    if (wanted !== undefined) {
      throw failure('US0120', operation, `"${prefix}${name}" is ${describe(value)}`, `It takes ${wanted}.`)
    }
  }
}

function describe(value: unknown): string {
  if (typeof value === 'function') return 'a function'
  try {
    return JSON.stringify(value) ?? String(value)
  } catch {
    // `JSON.stringify` throws for a bigint or a cycle.
    return describeValue(value)
  }
}

/** Returns the name with the smallest edit distance, if it is close enough to be a misspelling. */
export function closest(name: string, names: readonly string[]): string | undefined {
  const ranked = names
    .map((candidate) => ({ candidate, distance: editDistance(name.toLowerCase(), candidate.toLowerCase()) }))
    .sort((a, b) => a.distance - b.distance)
  const [best] = ranked
  return best && best.distance <= Math.max(2, Math.floor(name.length / 3)) ? best.candidate : undefined
}
