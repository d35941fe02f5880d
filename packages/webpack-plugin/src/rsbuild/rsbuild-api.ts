import type { ConnectMiddleware } from '@understudy/panel/server'

import type { Compiler } from '../compiler.ts'

/** A plugin of Rsbuild. It is declared here, because an app without Rsbuild does not have its types. */
export interface RsbuildPlugin {
  readonly name: string
  setup(api: RsbuildApi): void
}

/** The parts of Rsbuild's plugin API that this plugin calls (`RsbuildPluginAPI` of `@rsbuild/core` 2). */
export interface RsbuildApi {
  readonly logger: { log(message: string): void }
  modifyEnvironmentConfig(change: (config: EnvironmentConfig) => void): void
  modifyRspackConfig(change: (config: object, tools: RspackTools) => void): void
  onAfterCreateCompiler(callback: (created: { readonly compiler: object }) => void): void
  onBeforeStartDevServer(callback: (starting: { readonly server: RsbuildServer }) => void): void
  onAfterStartDevServer(callback: (started: { readonly port: number }) => void): void
  getNormalizedConfig(): object
}

interface RspackTools {
  readonly environment: { readonly config: EnvironmentConfig }
  appendPlugins(plugin: CompilerPlugin): void
}

interface CompilerPlugin {
  apply(compiler: Compiler): void
}

/** The parts of an environment's configuration that this plugin reads. */
export interface EnvironmentConfig {
  readonly dev?: { client?: ClientConfig }
  readonly server?: ServerConfig
}

export interface ServerConfig {
  readonly host?: unknown
  readonly https?: unknown
  readonly headers?: unknown
  readonly proxy?: unknown
  readonly allowedHosts?: unknown
}

interface ClientConfig {
  readonly path?: unknown
  readonly host?: unknown
  /** `false`: no overlay. */
  overlay?: unknown
}

interface RsbuildServer {
  readonly middlewares: { use(handle: ConnectMiddleware): unknown }
}
