import type { ScenarioName } from '@understudy/engine/scenarios'

import type { HandlersParameter } from './read-handlers.ts'

/** What the addon reads of a story's parameters. */
export interface UnderstudyParameters {
  /** The story's handlers. */
  handlers?: HandlersParameter
  /** Like `handlers`, with the name that `msw-storybook-addon` uses. */
  msw?: HandlersParameter | { handlers: HandlersParameter }
  understudy?: {
    /** What to do with a request that no handler matches; `'error'` fails the story. Default: the addon's option. */
    onUnhandledRequest?: 'bypass' | 'warn' | 'error'
    /**
     * Called before a story begins: what a query client keeps of the story before must not answer for this one.
     *
     * @example
     * clearCaches: () => queryClient.clear()
     */
    clearCaches?: (() => unknown) | Readonly<Record<string, () => unknown>>
    /**
     * The scenario of the project's handlers module that is active in this story, or a list. Those of the toolbar have
     * precedence.
     *
     * @throws the story fails if there is no scenario of this name
     */
    scenario?: ScenarioName | readonly ScenarioName[]
    /** Whether docs pages give stories whose handlers collide a frame of their own. Default: `true`. */
    isolate?: boolean
  }
}
