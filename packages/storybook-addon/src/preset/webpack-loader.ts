import { fileURLToPath } from 'node:url'

import { createMissing } from './handlers-module.ts'
import type { FoundHandlers } from './project-handlers.ts'

export interface LoaderOptions {
  readonly declareOptions: string
  /** The paths at which the handlers module may be created. */
  readonly paths: readonly string[]
  readonly search: () => FoundHandlers
}

interface LoaderContext {
  readonly resourcePath: string
  readonly mode?: string
  getOptions(): LoaderOptions
  addDependency(file: string): void
  addMissingDependency(file: string): void
  emitWarning(warning: Error): void
}

/** An empty file, whose contents the loader replaces. */
const connector = fileURLToPath(new URL('./webpack-connector.cjs', import.meta.url))

const locatingModule = fileURLToPath(new URL('../preview/locate-messages.js', import.meta.url))

/**
 * A webpack loader that returns the module with the project's handlers, in two parts.
 *
 * If the handlers module has a top-level `await`, webpack makes every ES module asynchronous that accepts its updates.
 * Storybook requires the addon's preview synchronously, and would get none of its annotations. The part with the updates is
 * therefore a CommonJS module. It is a separate file, because Angular's plugin drops the query of a module.
 */
export default function loadProjectHandlers(this: LoaderContext): string {
  const { declareOptions, paths, search } = this.getOptions()
  const load = (path: string): string => `import(/* webpackMode: "eager" */ ${JSON.stringify(path)})`
  if (!this.resourcePath.endsWith('.cjs')) {
    const locating = this.mode === 'production' ? 'undefined' : `() => ${load(locatingModule)}`
    return `${declareOptions}
export const loadLocating = ${locating}
export const connect = (...callbacks) => ${load(connector)}.then((module) => module.connect(...callbacks))
`
  }
  for (const path of paths) this.addMissingDependency(path)
  const found = search()
  if (found.missing) {
    const error = new Error(`[understudy] ${found.missing.name}: ${found.missing.reason}`)
    if (this.mode === 'production') throw error
    this.emitWarning(error)
  }
  if (found.file) this.addDependency(found.file.path)
  return `let take, fail
${found.file ? loadFile(found.file, load) : createMissing(found)}
exports.connect = connect
${reload}
`
}

/**
 * Reloads the page when the handlers file was created or deleted. The modules are then in other chunks, which webpack does not load for an
 * update.
 */
const reload = `if (module.hot) {
  module.hot.accept()
  module.hot.dispose(() => location.reload())
}`

function loadFile(file: NonNullable<FoundHandlers['file']>, load: (path: string) => string): string {
  const [path, name] = [JSON.stringify(file.path), JSON.stringify(file.name)]
  return `const load = () => ${load(file.path)}.then((module) => take(module, ${name})).catch((error) => fail(error, ${name}))
function connect(...callbacks) {
  [take, fail] = callbacks
  return load()
}
// Do not return the promise: webpack would wait for it before it ends the update, and until then it holds what the handlers import.
if (module.hot) module.hot.accept(${path}, () => void load(), (error) => fail?.(error, ${name}))`
}
