import { dirname, relative } from 'node:path'

interface LoaderContext {
  readonly resourcePath: string
  getOptions(): { readonly module: string }
}

/** Makes a CommonJS module evaluate another one first. */
export default function firstModuleLoader(this: LoaderContext, source: string): string {
  // Turbopack resolves no absolute paths.
  const path = relative(dirname(this.resourcePath), this.getOptions().module).replaceAll('\\', '/')
  return `require(${JSON.stringify(path.startsWith('.') ? path : `./${path}`)});\n${source}`
}
