import {
  readOptions,
  type OptionCheck,
  type PluginOptions,
  type ResolvedOptions,
} from '@understudy/engine/internal/dev'

type Answerer = 'page' | 'worker'
type Strategy = NonNullable<PluginOptions['onUnhandledRequest']>

/** The options of {@link understudy}: the options of all plugins, and those of the Vite plugin. */
export interface UnderstudyOptions extends PluginOptions {
  /**
   * The app's entry module in the browser, relative to the project's root, or a list of entry modules. Needed if no
   * HTML page of the project contains it, because another server renders the `<script>` tag. Default: the plugin finds
   * it.
   */
  entry?: string | readonly string[]
  /**
   * Whether the handlers also answer requests that the dev server's process makes while it renders pages.
   * Default: `true`.
   */
  ssr?: boolean
  /** Mocking in the tests of Vitest. `false`: off. An object: on, with options only for tests. */
  vitest?: boolean | TestOptions
}

/** The options for tests. */
export interface TestOptions {
  /**
   * What to do with a request that no handler matches. `'error'` fails the test that made it, even if the app catches
   * the error. Default: the plugin's option of this name.
   */
  onUnhandledRequest?: Strategy
  /**
   * In browser mode, where `fetch` and `XMLHttpRequest` are answered. `'page'` is many times faster. With `'worker'`,
   * the developer tools show the requests. The service worker answers all other requests in both cases. Default:
   * `'page'`.
   */
  answer?: Answerer
}

/** {@link UnderstudyOptions}, with the defaults filled in. */
export interface ResolvedUnderstudyOptions extends ResolvedOptions {
  entry: readonly string[] | undefined
  ssr: boolean
  vitest: { isOn: boolean; onUnhandledRequest: Strategy | undefined; answer: Answerer }
}

const valuesInTests: Readonly<Record<string, readonly unknown[]>> = {
  onUnhandledRequest: ['bypass', 'warn', 'error'] satisfies Strategy[],
  answer: ['page', 'worker'] satisfies Answerer[],
} satisfies Record<keyof TestOptions, unknown>

const ownChecks: Record<Exclude<keyof UnderstudyOptions, keyof PluginOptions>, OptionCheck> = {
  entry: (value) => {
    const files: unknown[] = [value].flat()
    const isValid = files.length > 0 && files.every((each) => typeof each === 'string' && each !== '')
    return isValid ? undefined : 'a file name, or a list of them'
  },
  ssr: (value) => (typeof value === 'boolean' ? undefined : 'a boolean'),
  vitest: (value) =>
    typeof value === 'boolean' || isTestOptions(value)
      ? undefined
      : 'true, false or { onUnhandledRequest: "bypass", "warn" or "error", answer: "page" or "worker" }',
}

function isTestOptions(value: unknown): value is TestOptions {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  return Object.entries(value).every(
    ([name, given]: [string, unknown]) =>
      Object.hasOwn(valuesInTests, name) && (given === undefined || valuesInTests[name]?.includes(given)),
  )
}

/** @throws {UnderstudyError} if an option does not exist or has a wrong type */
export function readUnderstudyOptions(options: UnderstudyOptions | null | undefined): ResolvedUnderstudyOptions {
  const common = readOptions(options, 'understudy()', ownChecks)
  const { entry, ssr = true, vitest = true } = options ?? {}
  const { onUnhandledRequest, answer = 'page' } = typeof vitest === 'object' ? vitest : {}
  return {
    ...common,
    entry: entry === undefined ? undefined : [entry].flat(),
    ssr,
    vitest: { isOn: vitest !== false, onUnhandledRequest, answer },
  }
}
