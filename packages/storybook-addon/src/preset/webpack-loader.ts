import type { HandlersFile } from '@understudy/engine/internal/dev'

interface LoaderContext {
  getOptions(): { declareOptions: string; file?: HandlersFile }
}

/** A webpack loader that returns the module with the project's handlers. */
export default function loadProjectHandlers(this: LoaderContext): string {
  const { declareOptions, file } = this.getOptions()
  if (!file) return `${declareOptions}\nexport async function connect() {}`
  const [path, name] = [JSON.stringify(file.path), JSON.stringify(file.name)]
  const load = `import(/* webpackMode: "eager" */ ${path})`
  return `${declareOptions}
let take, fail
const load = () => ${load}.then((module) => take(module, ${name})).catch((error) => fail(error, ${name}))
export function connect(...callbacks) {
  [take, fail] = callbacks
  return load()
}
if (module.hot) module.hot.accept(${path}, load, (error) => fail?.(error, ${name}))
`
}
