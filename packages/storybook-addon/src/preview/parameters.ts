import type { ScenarioName } from '@understudy/engine/scenarios'

import type { HandlersParameter } from './read-handlers.ts'

/** The parameters of a story that the addon reads. */
export interface UnderstudyParameters {
  /** The story's handlers. */
  handlers?: HandlersParameter
  /** Like `handlers`, with the name that `msw-storybook-addon` uses. */
  msw?: HandlersParameter | { handlers: HandlersParameter }
  understudy?: {
    /** What to do with a request that no handler matches; `'error'` fails the story. Default: the addon's option. */
    onUnhandledRequest?: 'bypass' | 'warn' | 'error'
    /**
     * Called before a story starts. Clear the caches of query clients here, because cached responses of the previous
     * story must not appear in this one.
     *
     * @example
     * clearCaches: () => queryClient.clear()
     */
    clearCaches?: (() => unknown) | Readonly<Record<string, () => unknown>>
    /**
     * The scenario of the project's handlers module that is active in this story, or a list. The toolbar's scenarios
     * have precedence.
     *
     * @throws the story fails if there is no scenario of this name
     */
    scenario?: ScenarioName | readonly ScenarioName[]
    /** Whether docs pages show stories whose handlers collide in separate frames. Default: `true`. */
    isolate?: boolean
  }
}
