import { withCode } from '@understudy/engine/internal/dev'

import type { Compiler } from './compiler.ts'
import { listDevServers, listSocketAddresses } from './dev-server/dev-servers.ts'
import { serveInDevelopment } from './dev-server/dev-serving.ts'
import { listForwardedPaths } from './dev-server/forwarded-paths.ts'
import { emitWorker } from './dev-server/worker-serving.ts'
import { omitEngineMaps } from './engine-maps.ts'
import { compileMockingEagerly } from './lazy-compilation.ts'
import { checkLeaks } from './leak-check.ts'
import { ignoreMissingGraphQL } from './missing-graphql.ts'
import { findPageData } from './page/page-data.ts'
import { gatePages } from './page/page-gate.ts'
import { createRequest, remember } from './page/page-module-loader.ts'
import { startWebWorkers } from './page/web-workers.ts'
import { pluginName, type Project } from './project.ts'
import { failOnSyntaxErrors } from './syntax-errors.ts'

/** Mocks the app that a compiler builds, or checks that a build contains no mocks. */
export function mockApp(project: Project): void {
  const { compiler } = project
  // Run after defaults were applied and before entries are read.
  compiler.hooks.environment.tap(pluginName, () => {
    if (isOfStorybook(compiler)) return
    if (isOfNext(compiler)) {
      if (project.isOn) refuseNext(compiler)
      else checkLeaks(project)
      return
    }
    serveInDevelopment(project)
    ignoreMissingGraphQL(compiler.options)
    reportErrors(project)
    if (project.isModeMissing) sayWhy(compiler)
    if (!project.isOn) checkLeaks(project)
    else if (project.hasPages) startPages(project)
  })
}

/**
 * Returns whether the addon for Storybook mocks the pages that a compiler builds. Builders of Storybook use the app's
 * configuration, and so this plugin.
 */
function isOfStorybook({ options }: Compiler): boolean {
  const rules = options.module?.rules ?? []
  return rules.some((rule) =>
    /[\\/]storybook-addon[\\/].*webpack-loader\.js$/.test(String((rule as { loader?: unknown } | null)?.loader)),
  )
}

/** Returns whether Next.js runs the compiler. It defines these aliases for its own modules. */
function isOfNext({ options }: Compiler): boolean {
  return Object.keys(options.resolve?.alias || {}).some((name) => name.startsWith('private-next-'))
}

/** Fails the compilation. Otherwise, no server would serve the worker, and pages would hold their requests forever. */
function refuseNext({ hooks, webpack }: Compiler): void {
  hooks.thisCompilation.tap(pluginName, ({ errors }) => {
    errors.push(
      new webpack.WebpackError(
        '[understudy] Failed to mock a Next.js app with UnderstudyWebpackPlugin: Next.js does not serve its worker. Remove ' +
          'the plugin, and wrap the configuration in next.config with withUnderstudy() from @understudy/webpack-plugin/next. (US0861)',
      ),
    )
  })
}

/** Prints that mocking is off if the configuration sets no mode, because webpack then builds for production. */
function sayWhy(compiler: Compiler): void {
  compiler
    .getInfrastructureLogger(pluginName)
    .warn(
      withCode(
        'US0803',
        'Mocking is off, because the configuration sets no "mode" and webpack then builds for production. ' +
          'Set mode: "development", or the plugin\'s option enabled: true.',
      ),
    )
}

/** Fails a compilation if options are invalid or there are no handlers, as a missing module does. */
function reportErrors(project: Project): void {
  const { compiler } = project
  compiler.hooks.thisCompilation.tap(pluginName, ({ errors }) => {
    try {
      if (project.isOn) project.findHandlers()
      else if (project.optionsError) throw project.optionsError
    } catch (error) {
      errors.push(new compiler.webpack.WebpackError(`[understudy] ${(error as Error).message}`))
    }
  })
}

/** Adds the gate at the start of every entry, and of every page that a plugin creates. */
function startPages(project: Project): void {
  const { compiler, options, optionsError, tool } = project
  // A build with mocks has no dev server, and the app's own sockets may have the same path.
  const isServed = compiler.options.mode === 'development'
  const neverHeld = isServed ? (tool?.sockets ?? listSocketAddresses(compiler.options)) : []
  const proxies = tool?.proxies ?? listDevServers(compiler.options).map(({ proxy }) => proxy)
  const key = remember({
    root: compiler.context,
    app: compiler.options.output.uniqueName ?? '',
    options,
    optionsError: optionsError?.message,
    isShared: project.isShared,
    neverHeld,
    forwarded: listForwardedPaths(isServed ? proxies : []),
    toolFiles: findPageData(compiler.options),
    overlay: tool?.overlay ?? 'frame',
    linksPanelLater: tool === undefined,
  })
  const { EntryPlugin } = compiler.webpack
  // An entry without a name is added to all entries, including those of functions and module federation.
  const addEntry = (request: string): void => new EntryPlugin(compiler.context, request, {}).apply(compiler)
  addEntry(createRequest('start', key))
  // Whether a dev server serves the panel is known only when it starts. If that changed another module, a persistent cache would
  // keep the module of an earlier start.
  if (project.isShared) project.linkPanel = () => addEntry(createRequest('panel', key))
  failOnSyntaxErrors(project)
  emitWorker(project)
  gatePages(project, neverHeld)
  startWebWorkers(compiler)
  compileMockingEagerly(compiler.options)
  omitEngineMaps(project)
}
