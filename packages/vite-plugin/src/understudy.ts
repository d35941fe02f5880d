import type { Plugin } from 'vite'

import { buildOutput } from './build-output.ts'
import { configuration } from './configuration.ts'
import { errorOverlay } from './error-overlay.ts'
import { handlersHotSwap } from './handlers-hot-swap.ts'
import { leakCheck } from './leak-check.ts'
import { nuxtRendering } from './nuxt-rendering.ts'
import type { UnderstudyOptions } from './options.ts'
import { outgoingPages } from './outgoing-pages.ts'
import { pageEntries } from './page-entries.ts'
import { pageGate } from './page-gate.ts'
import { pageModules } from './page-modules.ts'
import { panelServing } from './panel-serving.ts'
import { Project } from './project.ts'
import { serverRendering } from './server-rendering.ts'
import { testSetUp } from './test-set-up.ts'
import { workerServing } from './worker-serving.ts'

/**
 * Mocks the requests of a Vite app: brings the worker and the handlers in before the app's first line runs, swaps
 * handlers as they are edited, and leaves nothing in a build.
 *
 * @param options see {@link UnderstudyOptions}; a misspelt one is shown where Vite shows its errors
 * @example
 * // vite.config.ts; the handlers are found in src/mocks/handlers.ts
 * export default defineConfig({ plugins: [understudy()] })
 */
export function understudy(options: UnderstudyOptions = {}): Plugin[] {
  const project = new Project(options)
  return [
    // The first: it sees to what the others read of the project.
    configuration(project),
    serverRendering(project),
    nuxtRendering(project),
    outgoingPages(project),
    pageModules(project),
    handlersHotSwap(project),
    errorOverlay(project),
    workerServing(project),
    panelServing(project),
    buildOutput(project),
    leakCheck(project),
    ...pageGate(project),
    ...pageEntries(project),
    testSetUp(project),
  ]
}
