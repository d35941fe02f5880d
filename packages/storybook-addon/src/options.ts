/** The options of the addon in `main.ts`: `addons: [{ name: '@understudy/storybook-addon', options: { … } }]`. */
export interface AddonOptions {
  /**
   * The module that exports handlers for all stories, relative to the project's root; `false`: none.
   * Default: `src/mocks/handlers.*`, `mocks/handlers.*`, if one of them exists.
   */
  handlers?: string | false
  /** What to do with a request that no handler matches. A story's parameter overrides it. Default: `'warn'`. */
  onUnhandledRequest?: 'bypass' | 'warn' | 'error'
  /** Disables the console line for each request. Default: `false`, and `true` in test runs. */
  quiet?: boolean
  /**
   * The origins of Storybooks that compose this one (`refs`) and may inspect its stories: see requests with headers and
   * bodies, and set overrides of handlers. Default: `[]`.
   *
   * @example
   * composedBy: ['https://design.example.com']
   */
  composedBy?: readonly string[]
}

/** The options that the preview needs. */
export type PreviewOptions = Pick<AddonOptions, 'onUnhandledRequest' | 'quiet' | 'composedBy'>
