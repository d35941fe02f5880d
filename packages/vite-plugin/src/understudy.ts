import type { Plugin } from 'vite'

import { buildOutput } from './build/build-output.ts'
import { leakCheck } from './build/leak-check.ts'
import { configuration } from './configuration.ts'
import { bundlePlaces } from './dev-server/bundle-places.ts'
import { errorOverlay } from './dev-server/error-overlay.ts'
import { handlersHotSwap } from './dev-server/handlers-hot-swap.ts'
import { panelServing } from './dev-server/panel-serving.ts'
import { workerServing } from './dev-server/worker-serving.ts'
import { writtenPlaces } from './dev-server/written-places.ts'
import { engineOfPlugin } from './engine-of-plugin.ts'
import type { UnderstudyOptions } from './options.ts'
import { handlerPackages } from './page/handler-packages.ts'
import { pageEntries } from './page/page-entries.ts'
import { pageGate } from './page/page-gate.ts'
import { pageModules } from './page/page-modules.ts'
import { webWorkers } from './page/web-workers.ts'
import { Project } from './project.ts'
import { nuxtRendering } from './rendering/nuxt-rendering.ts'
import { outgoingPages } from './rendering/outgoing-pages.ts'
import { serverRendering } from './rendering/server-rendering.ts'
import { testSetUp } from './test-set-up.ts'

/**
 * Mocks the requests that a Vite app and its Vitest tests make. Requests wait until mocking is on. An edit of the handlers applies without
 * a reload. Builds contain no mocks.
 *
 * @param options see {@link UnderstudyOptions}. A misspelled option is shown as an error in Vite's overlay
 * @example
 * // vite.config.ts; the handlers are found in src/mocks/handlers.ts
 * export default defineConfig({ plugins: [understudy()] })
 */
export function understudy(options: UnderstudyOptions = {}): Plugin[] {
  return listPlugins(new Project(options))
}

/** The plugins of a project, in their order. */
export function listPlugins(project: Project): Plugin[] {
  return [
    // Must be the first, because it sets the values that the others read.
    configuration(project),
    engineOfPlugin(project),
    serverRendering(project),
    nuxtRendering(project),
    outgoingPages(project),
    pageModules(project),
    handlerPackages(project),
    handlersHotSwap(project),
    bundlePlaces(project),
    writtenPlaces(project),
    errorOverlay(project),
    workerServing(project),
    webWorkers(project),
    panelServing(project),
    buildOutput(project),
    leakCheck(project),
    ...pageGate(project),
    ...pageEntries(project),
    testSetUp(project),
  ]
}
