import { createHash } from 'node:crypto'
import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'

import { findHandlers } from '@understudy/engine/internal/dev'
import type { Plugin, ResolvedConfig } from 'vite'

import { isOfStorybook, pluginName, type Project } from './project.ts'

/**
 * The modules that Vitest evaluates before each test file. Without a file extension, mocking would take the page's request for
 * the module for one of data: a policy would report or fail it, and a handler could answer it.
 */
const setUpIds = { node: 'virtual:understudy/vitest.js', browser: 'virtual:understudy/vitest-browser.js' } as const

/** Their paths. */
const setUpFile = /virtual:understudy\/vitest(?:-browser)?\.js$/

/** A file that contains such a module. */
const writtenFile = /\/understudy\/vitest-[\da-f]{16}\.mjs$/

const runtimes = ['node', 'browser'] as const

/** The members of a Vitest project (4.1 and later) that are used. */
interface TestProject {
  readonly vite: { readonly config: ResolvedConfig }
  readonly config: {
    setupFiles: string[]
    sequence: { setupFiles?: 'list' | 'parallel' }
    readonly browser: { readonly enabled?: boolean }
    readonly experimental?: { readonly viteModuleRunner?: boolean }
  }
}

/** Vite's hooks and Vitest's hook, whose type is only available if Vitest is installed. */
type TestPlugin = Plugin & { configureVitest(context: { project: TestProject }): void }

/** Loads the handlers into the tests of Vitest with a virtual setup file. */
export function testSetUp(project: Project): TestPlugin {
  const { vitest } = project.options
  return {
    name: `${pluginName}:test-set-up`,
    enforce: 'pre',

    config() {
      if (!project.isEnabled || !vitest.isOn || !process.env['VITEST']) return undefined
      // If Vite discovers these dependencies late, it reloads the page of a test.
      return { optimizeDeps: { include: ['@understudy/vite-plugin/vitest', '@understudy/vite-plugin/vitest/browser'] } }
    },

    configResolved({ root, environments: { client } }) {
      // Vitest outside of browsers does not look for packages.
      if (!project.isOn || project.mocksPages || !client || client.optimizeDeps.noDiscovery === true) return
      try {
        // No test imports the handlers in its code, so Vite would find the packages that they import only when a test runs. It reloads
        // the tests then, and they fail. Relative to the root: Vite takes a path with parentheses for a pattern.
        client.dev.warmup.push(relative(root, project.findHandlers().path).replaceAll('\\', '/'))
      } catch {
        // There are no handlers. Other code reports it.
      }
    },

    // Change each project here. Changes in the hook `config` would not reach other projects that share this server.
    configureVitest({ project: { vite, config } }) {
      // Several projects may share the plugin, and only some of them may run stories.
      if (!project.isEnabled || isOfStorybook(vite.config) || !vitest.isOn) return
      const runtime = config.browser.enabled ? 'browser' : 'node'
      const isNative = runtime === 'node' && config.experimental?.viteModuleRunner === false
      const file = isNative ? writeSetUpModule(project, vite.config) : toPath(setUpIds[runtime], vite.config)
      // Add it first, and let it finish before the next one: the user's setup files may use the mocked network.
      config.setupFiles = [file, ...config.setupFiles.filter((other) => other !== file && !writtenFile.test(other))]
      config.sequence.setupFiles = 'list'
    },

    resolveId: {
      filter: { id: setUpFile },
      handler(id) {
        const found = Object.values(setUpIds).find((setUpId) => id === setUpId || id.endsWith(`/${setUpId}`))
        return found && toPath(found, this.environment.getTopLevelConfig())
      },
    },

    load: {
      filter: { id: setUpFile },
      handler(id) {
        const config = this.environment.getTopLevelConfig()
        const runtime = runtimes.find((each) => id === toPath(setUpIds[each], config))
        // There is no source file for a source map.
        return runtime && { code: createSetUpModule(project, config, runtime), map: { mappings: '' } }
      },
    },
  }
}

/** Returns a path like that of a file in the root, so that Vitest runs the tests again when the handlers are edited. */
function toPath(id: string, { root }: { readonly root: string }): string {
  return `${root}/${id}`
}

/**
 * Writes the setup module to a file: with `experimental.viteModuleRunner: false`, Node evaluates all modules itself, and knows no
 * virtual ones.
 *
 * @returns its path
 */
function writeSetUpModule(project: Project, config: ResolvedConfig): string {
  const text = readSetUpModule(project, config)
  const folder = join(config.cacheDir, 'understudy')
  // Projects with different options may have the same folder.
  const file = join(folder, `vitest-${createHash('sha256').update(text).digest('hex').slice(0, 16)}.mjs`)
  mkdirSync(folder, { recursive: true })
  // Another run may be evaluating the file, and must not read half of it.
  const written = `${file}.${process.pid}`
  writeFileSync(written, text)
  renameSync(written, file)
  return file.replaceAll('\\', '/')
}

function readSetUpModule(project: Project, config: ResolvedConfig): string {
  try {
    return createSetUpModule(project, config, 'node', (path) => pathToFileURL(path).href)
  } catch (error) {
    // The tests of this project fail, and not those of others.
    return `throw new Error(${JSON.stringify((error as Error).message)})\n`
  }
}

/** @throws {UnderstudyError} if the options are not valid or there is no handlers module, so that the tests fail */
function createSetUpModule(
  project: Project,
  { root }: ResolvedConfig,
  runtime: (typeof runtimes)[number],
  toImport = (path: string) => path,
): string {
  const { options, optionsError } = project
  if (optionsError) throw optionsError
  const { path, name } = findHandlers(root, options.handlers)
  const worker = { url: project.workerPath, scope: project.scope }
  const values = {
    file: name,
    onUnhandledRequest: options.onUnhandledRequest,
    ...(runtime === 'browser' && { worker, expose: options.expose, answer: options.vitest.answer }),
  }
  return `import * as vitest from 'vitest'
import { setUp } from '@understudy/vite-plugin/vitest/${runtime}'
await setUp({
  ...${JSON.stringify(values)},
  inTests: ${JSON.stringify(options.vitest.onUnhandledRequest)},
  vitest,
  load: () => import(${JSON.stringify(toImport(path))}),
})
`
}
