import { readWebWorkerScript, serveScript, socketPath } from '@understudy/engine/internal/dev'
import type { Plugin } from 'vite'

import { onlyFor } from '../hook-filter.ts'
import { pluginName, type Project } from '../project.ts'
import { virtual, webWorkerId } from '../virtual-modules.ts'

/** The parameter with which Vite marks the URL of a web worker's script, and the script's type. */
const workerFile = /[?&]worker_file&type=(\w+)/

/**
 * Puts the script that replaces `WebSocket` before the app's code in web workers, because a service worker does not see
 * their WebSockets.
 */
export function webWorkers(project: Project): Plugin {
  const path = (): string => `${project.basePath}__understudy-web-worker.js`

  return {
    name: `${pluginName}:web-workers`,
    // Run after Vite's plugin for web workers, which puts its own script first, and after compilers.
    enforce: 'post',

    config: () => ({ worker: { plugins: () => [inWorkerBuild(project)] } }),

    resolveId: {
      filter: onlyFor(webWorkerId),
      handler: (id) => (id === webWorkerId ? virtual(id) : undefined),
    },

    load: {
      filter: onlyFor(virtual(webWorkerId)),
      handler: (id) => (id === virtual(webWorkerId) ? readWebWorkerScript() : undefined),
    },

    transform: {
      filter: { id: workerFile },
      handler(code, id) {
        const type = workerFile.exec(id)?.[1]
        if (!type || !project.mocksWebWorkers || project.config.command !== 'serve') return undefined
        // Keep the line numbers.
        return { code: `${createStart(type, path())};${code}`, map: null }
      },
    },

    configureServer({ middlewares }) {
      if (!project.mocksWebWorkers) return
      middlewares.use(serveScript(path(), readWebWorkerScript))
      // No page answers the web worker, because mocking is off or there is no service worker.
      middlewares.use(socketPath, (_request, response) => {
        response.statusCode = 204
        response.end()
      })
    },
  }
}

/** Returns the statement that evaluates the script in a web worker of the dev server. */
function createStart(type: string, path: string): string {
  if (type === 'module') return `import ${JSON.stringify(webWorkerId)}`
  if (type === 'classic') return `importScripts(${JSON.stringify(path)})`
  // The app selects the type when it runs. The script is not the first if the web worker imports modules.
  return readWebWorkerScript().trimEnd().replace(/;$/, '')
}

/** The same for the build of one web worker. Vite bundles each separately. */
function inWorkerBuild(project: Project): Plugin {
  // The plugin for CommonJS in Vite 6 and 7 takes what the entry of a CommonJS file imports for a resolved id.
  const script = virtual(webWorkerId)
  let input: unknown
  return {
    name: `${pluginName}:web-workers-of-builds`,
    enforce: 'post',

    resolveId: { filter: onlyFor(script), handler: (id) => (id === script ? id : undefined) },

    load: { filter: onlyFor(script), handler: (id) => (id === script ? readWebWorkerScript() : undefined) },

    options(options) {
      ;({ input } = options)
    },

    transform(code, id) {
      // That plugin also loads the files of dependencies before Rollup knows that they are entries.
      const isEntry = id === input || this.getModuleInfo(id)?.isEntry === true
      if (!isEntry || !project.mocksWebWorkers) return undefined
      const start = findStart(code, (text) => this.parse(text))
      if (start === undefined) return undefined
      return { code: `${code.slice(0, start)};import ${JSON.stringify(script)};${code.slice(start)}`, map: null }
    },
  }
}

/**
 * Returns where the first statement begins: after a hashbang, which must be the first line, and after directives. Bundlers keep
 * `'use strict'` for the whole web worker only if it comes first. Returns `undefined` if there is no statement.
 */
function findStart(code: string, parse: (code: string) => unknown): number | undefined {
  try {
    const { body } = parse(code) as { body: readonly { directive?: string | null; start: number }[] }
    return body.find(({ directive }) => typeof directive !== 'string')?.start
  } catch {
    // The bundler shows the error.
    return 0
  }
}
