import { fileURLToPath } from 'node:url'

import type { HandlersFile } from '@understudy/engine/internal/dev'

interface LoaderContext {
  readonly resourcePath: string
  getOptions(): { declareOptions: string; file?: HandlersFile }
}

/** An empty file, whose contents the loader replaces. */
const connector = fileURLToPath(new URL('./webpack-connector.cjs', import.meta.url))

/**
 * A webpack loader that returns the module with the project's handlers, in two parts.
 *
 * If the handlers module has a top-level `await`, webpack makes every ES module asynchronous that accepts its updates.
 * Storybook requires the addon's preview synchronously, and would get none of its annotations. The part with the updates is
 * therefore a CommonJS module. It is a separate file, because Angular's plugin drops the query of a module.
 */
export default function loadProjectHandlers(this: LoaderContext): string {
  const { declareOptions, file } = this.getOptions()
  if (!file) return `${declareOptions}\nexport async function connect() {}`
  const load = (path: string): string => `import(/* webpackMode: "eager" */ ${JSON.stringify(path)})`
  if (!this.resourcePath.endsWith('.cjs')) {
    return `${declareOptions}
export const connect = (...callbacks) => ${load(connector)}.then((module) => module.connect(...callbacks))
`
  }
  const name = JSON.stringify(file.name)
  return `let take, fail
const load = () => ${load(file.path)}.then((module) => take(module, ${name})).catch((error) => fail(error, ${name}))
exports.connect = (...callbacks) => {
  [take, fail] = callbacks
  return load()
}
if (module.hot) module.hot.accept(${JSON.stringify(file.path)}, load, (error) => fail?.(error, ${name}))
`
}
