import type { Inspection } from '@understudy/engine/inspect'
import type { Network, SetupWorker, UnhandledRequestCallback } from '@understudy/engine/internal/page'

import type { NetworkCondition } from '../events.ts'

/** How the requests of this page are answered. */
export type MockingState =
  | { readonly how: 'starting' }
  | { readonly how: 'service-worker' }
  /** There can be no service worker here; requests of scripts are answered, those of elements are not. */
  | { readonly how: 'in-page' }
  | { readonly how: 'failed'; readonly error: string }

/** The mocking of one preview page. */
export interface PageMocking {
  readonly network: Network
  readonly worker: SetupWorker
  readonly inspection: Inspection
  state: MockingState
  /** Why the project's handlers could not be loaded, where they could not. */
  handlersError: string | undefined
  /** Exported by the project's handlers module. */
  onUnhandledRequest: UnhandledRequestCallback | undefined
  /** Chosen in the toolbar. */
  condition: NetworkCondition
  /** The scenarios that were chosen in the toolbar. */
  scenarios: readonly string[]
  /** Tells what shows the page's stories of what has changed. */
  update: () => void
  /** Makes Storybook mount a story again. */
  remount: (storyId: string) => void
}
