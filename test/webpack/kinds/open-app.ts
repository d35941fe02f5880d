import { join } from 'node:path'

import type { Browser } from 'playwright'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'

import { launchBrowser, openVisit, type Visit } from '../../acceptance/browser.ts'
import { startBackend, type CountingBackend } from '../../acceptance/counting-backend.ts'
import { createProject, repository, type Project } from '../../acceptance/project.ts'
import { findPort, runTool, type ToolProcess } from '../../acceptance/run-tool.ts'
import type { Bundler } from '../webpack.ts'
import { files } from './app.ts'

/** A bundler with the names of its plugins and settings. */
export interface Kind extends Bundler {
  /** The start of a configuration's text, which declares `HtmlPlugin` and `ModuleFederationPlugin`. */
  imports: string
  /** Sets lazy compilation of a configuration. */
  lazy: string
  /** The type of a cache on the disk. */
  cache: string
  /** A script that creates a compiler from `config`, and starts a dev server with its options. */
  start: string
  /** Whether its dev server also accepts the configuration's own object. */
  takesOwnOptions?: boolean
}

/** A copy of the app, with a backend that its requests must not reach. */
export interface OpenApp {
  readonly backend: CountingBackend
  readonly browser: Browser
  readonly project: Project
  /** Runs the bundler's command line. */
  runBundler(args: string[], env?: Record<string, string>): ToolProcess
  /** Serves a configuration with the command line, and returns the origin. */
  serve(config: string): Promise<string>
  /** Keeps a tool, which stops after the test. */
  keep(tool: ToolProcess): ToolProcess
  /** The settings of the dev server, as text. */
  devServer(): string
  /** Opens a page, which closes after the test. */
  open(url: string): Promise<Visit>
  /** Waits until the page has these responses, by the names that it requested. */
  expectAnswers(visit: Visit, ...names: string[]): Promise<void>
  /** Prints the console and the output of the tool. */
  report(): void
  /** The output of the tool. */
  output(): string
}

/** Copies the app before the tests of the current `describe`, and checks after each test that no request escaped. */
export function openApp({ imports, devServer: settings = {}, env = {}, ...bundler }: Kind): OpenApp {
  const cli = join(repository, bundler.cli)
  let backend: CountingBackend
  let browser: Browser
  let project: Project
  let server: ToolProcess | undefined
  let visit: Visit | undefined

  beforeAll(async () => {
    ;[backend, browser, project] = await Promise.all([
      startBackend(),
      launchBrowser(),
      createProject('test/fixtures/hot', files),
    ])
  })

  afterAll(async () => {
    await Promise.all([browser.close(), server?.stop(), backend.close()])
    await project.dispose()
  })

  afterEach(async () => {
    await Promise.all([visit?.close(), server?.stop()])
    const escaped = [...backend.requests]
    backend.forget()
    expect({ escaped, errors: visit?.errors ?? [] }).toEqual({ escaped: [], errors: [] })
    visit = undefined
  })

  const app: OpenApp = {
    get backend() {
      return backend
    },
    get browser() {
      return browser
    },
    get project() {
      return project
    },
    runBundler: (args, additional) => runTool(cli, args, { folder: project.folder, env: { ...env, ...additional } }),
    async serve(config) {
      const port = await findPort()
      await project.write('bundler.config.js', `${imports}\n${config}`)
      const args = ['serve', '--config', 'bundler.config.js', '--mode', 'development']
      const tool = app.keep(app.runBundler([...args, '--host', '127.0.0.1', '--port', String(port)]))
      await Promise.all([tool.untilSaid(/compiled/), tool.untilSaid(/(Loopback|Local):/)])
      return `http://localhost:${port}`
    },
    keep(tool) {
      server = tool
      return tool
    },
    devServer: () => JSON.stringify({ ...settings, proxy: [{ context: ['/api'], target: backend.origin }] }),
    async open(url) {
      visit = await openVisit(browser)
      await visit.page.goto(url)
      return visit
    },
    async expectAnswers({ page }, ...names) {
      const expected = Object.fromEntries(names.map((each) => [each, 'the mock']))
      await expect.poll(() => page.evaluate('globalThis.answers')).toEqual(expected)
    },
    report: () => console.error([...(visit?.console ?? []), server?.output.slice(-3000)].join('\n')),
    output: () => server?.output ?? '',
  }
  return app
}
