/** Options of the addon in `main.ts`: `addons: [{ name: '@understudy/storybook-addon', options: { … } }]`. */
export interface AddonOptions {
  /**
   * The module that exports handlers for all stories, relative to the project's root; `false`: none.
   * Default: `src/mocks/handlers.*`, `mocks/handlers.*`, where one exists.
   */
  handlers?: string | false
  /** What to do with a request that no handler matches. A story's parameter overrides it. Default: `'warn'`. */
  onUnhandledRequest?: 'bypass' | 'warn' | 'error'
  /** No console output for each request. Default: `false`, and `true` in test runs. */
  quiet?: boolean
  /**
   * Origins of Storybooks that compose this one (`refs`) and may see and command what answers its stories: their
   * requests with headers and bodies, and what is forced on handlers. Default: `[]`.
   *
   * @example
   * composedBy: ['https://design.example.com']
   */
  composedBy?: readonly string[]
}

/** What of the options the preview needs. */
export type PreviewOptions = Pick<AddonOptions, 'onUnhandledRequest' | 'quiet' | 'composedBy'>
