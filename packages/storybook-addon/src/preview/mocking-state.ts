import type { Inspection } from '@understudy/engine/inspect'
import type { Network, SetupWorker, UnhandledRequestCallback } from '@understudy/engine/internal/page'

import type { NetworkCondition } from '../events.ts'

/** How the requests of this page are answered. */
export type MockingState =
  | { readonly how: 'starting' }
  | { readonly how: 'service-worker' }
  /** The page cannot have a service worker. Requests from scripts are answered, but requests from elements are not. */
  | { readonly how: 'in-page' }
  | { readonly how: 'failed'; readonly error: string }

/** The mocking of one preview page. */
export interface PageMocking {
  readonly network: Network
  readonly worker: SetupWorker
  readonly inspection: Inspection
  state: MockingState
  /** The reason why the project's handlers could not be loaded, if loading failed. */
  handlersError: string | undefined
  /** Whether handlers of the project were loaded, so that they answer although `handlersError` is set. */
  areHandlersLoaded: boolean
  /** The export of the project's handlers module. */
  onUnhandledRequest: UnhandledRequestCallback | undefined
  /** The condition that was chosen in the toolbar. */
  condition: NetworkCondition
  /** The scenarios that were chosen in the toolbar. */
  scenarios: readonly string[]
  /** Reports a change to the manager. */
  update: () => void
  /** Makes Storybook mount a story again. */
  remount: (storyId: string) => void
}
