import { findHandlers } from '@understudy/engine/internal/dev'
import type { Plugin, ResolvedConfig } from 'vite'

import { pluginName, type Project } from './project.ts'

/** The modules that Vitest evaluates before each test file. */
const setUpIds = { node: 'virtual:understudy/vitest', browser: 'virtual:understudy/vitest-browser' } as const

const runtimes = ['node', 'browser'] as const

/** What of a project of Vitest is read and changed, as it is in Vitest 4.1 and later. */
interface TestProject {
  readonly vite: { readonly config: { readonly root: string } }
  readonly config: {
    setupFiles: string[]
    sequence: { setupFiles?: 'list' | 'parallel' }
    readonly browser: { readonly enabled?: boolean }
  }
}

/** Vite's hooks, and that of Vitest, whose types are there only where Vitest is. */
type TestPlugin = Plugin & { configureVitest(context: { project: TestProject }): void }

/** Loads the handlers into the tests of Vitest, through a virtual set-up file. */
export function testSetUp(project: Project): TestPlugin {
  const { vitest } = project.options
  return {
    name: `${pluginName}:test-set-up`,
    enforce: 'pre',

    config() {
      if (!project.isOn || !vitest.isOn || !process.env['VITEST']) return undefined
      // Found late, they would reload the page of a test.
      return { optimizeDeps: { include: ['@understudy/vite-plugin/vitest', '@understudy/vite-plugin/vitest/browser'] } }
    },

    // Not by the configuration: projects that stand in it may share this server, and would not get what is added.
    configureVitest({ project: { vite, config } }) {
      if (!project.isOn || !vitest.isOn) return
      const file = toPath(setUpIds[config.browser.enabled ? 'browser' : 'node'], vite.config)
      // The first, and ready before the next begins: the user's own may use what it starts.
      config.setupFiles = [file, ...config.setupFiles.filter((other) => other !== file)]
      config.sequence.setupFiles = 'list'
    },

    resolveId(id) {
      const found = Object.values(setUpIds).find((setUpId) => id === setUpId || id.endsWith(`/${setUpId}`))
      return found && toPath(found, this.environment.getTopLevelConfig())
    },

    load(id) {
      const config = this.environment.getTopLevelConfig()
      const runtime = runtimes.find((each) => id === toPath(setUpIds[each], config))
      // There is no file that a source map could lead to.
      return runtime && { code: createSetUpModule(project, config, runtime), map: { mappings: '' } }
    },
  }
}

/** Like a file in the root, as Vitest takes it: so it knows that editing the handlers concerns the tests. */
function toPath(id: string, { root }: { readonly root: string }): string {
  return `${root}/${id}`
}

/** @throws for wrong options, and where there is no handlers module: the tests fail by it */
function createSetUpModule(project: Project, { root }: ResolvedConfig, runtime: (typeof runtimes)[number]): string {
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
  load: () => import(${JSON.stringify(path)}),
})
`
}
