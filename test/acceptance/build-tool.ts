import type { Project } from './project.ts'
import type { RunOptions, ToolProcess } from './run-tool.ts'
import type { TestPage } from './test-browser.ts'

/** The interface of a build tool for acceptance tests. The same scenarios run with each tool. */
export interface BuildTool {
  readonly name: string
  /** Whether it compiles every module, so that one with a syntax error never reaches the browser. */
  readonly compilesModules: boolean
  /** Whether it compiles TypeScript with the configuration of the tests. */
  readonly readsTypeScript: boolean
  /** The console line of a page when its client is connected. A client that was never connected misses restarts. */
  readonly connected?: RegExp
  /** Whether its dev server answers documents by the handlers module. */
  readonly answersDocuments: boolean
  /** Writes the tool's configuration into a project. */
  configure(project: Project, options: ToolOptions): Promise<void>
  /** Starts the development server, and waits for its address. */
  start(project: Project, options?: ServerOptions): Promise<RunningServer>
  /** Builds the project into its folder `dist`. */
  build(project: Project, options?: Pick<RunOptions, 'env'>): Promise<Build>
  /** Serves the build. */
  serve(project: Project, options?: ServerOptions): Promise<RunningServer>
  /** Returns the text of the tool's overlay on a page; `undefined` if the tool has no overlay. */
  readOverlay(page: Pick<TestPage, 'evaluate'>): Promise<string | undefined>
}

/**
 * Which tests of a scenario run: all of them, or only the main ones, whose result depends on the build tool. The others test code that
 * is the same with each tool ([decision 360](../../docs/decisions/0360-what-depends-on-the-build-tool.md)).
 */
export type Extent = 'all' | 'main'

/** The settings of a tool's configuration, in a form for all tools. */
export interface ToolOptions {
  /** The options of the Understudy plugin; `null`: without the plugin. */
  plugin?: Record<string, unknown> | null
  /** The origin that gets unhandled requests below `/api/`. */
  api?: string
  /** Whether each path without a file is the page of the app, as always in Vite. */
  hasRoutes?: boolean
  /** The public base path. Default: `/`. */
  base?: string
  /**
   * The nonce that the tool gives to the scripts of its pages; its server sends {@link contentSecurityPolicy}
   * with them.
   */
  nonce?: string
  /** The Content Security Policy that its server sends with pages. */
  policy?: string
  /** Additional host names of the server, besides `localhost`. */
  hosts?: string[]
  /** Additional pages, besides `index.html`. */
  pages?: string[]
}

export interface ServerOptions {
  /** Default: a free port. */
  port?: number
  env?: Record<string, string>
  /** The address on which the server listens. Only Vite's tests use it. Default: `127.0.0.1`. */
  host?: string
}

export interface RunningServer {
  /** `http://localhost:5173` */
  readonly origin: string
  readonly port: number
  readonly process: ToolProcess
  stop(): Promise<void>
}

export interface Build {
  /** The exit code; 0 means success. */
  readonly code: number | null
  readonly output: string
}

/** Returns a policy that allows only scripts with a nonce, and scripts that these load. */
export function contentSecurityPolicy(nonce: string): string {
  return `script-src 'nonce-${nonce}' 'strict-dynamic'; worker-src 'self'; object-src 'none'; base-uri 'none'`
}
