import { relative } from 'node:path'

interface LoaderContext {
  readonly resourcePath: string
  getOptions(): { readonly root?: string }
}

/** Fails a Turbopack build that contains mocks. The error names the file: Turbopack prints no import chain for loaders. */
export default function leakLoader(this: LoaderContext): string {
  const { root = '' } = this.getOptions()
  const name = relative(root, this.resourcePath).replaceAll('\\', '/')
  throw new Error(
    `[understudy] Failed to leave mocks out of the build: it contains ${name}. Remove the import that leads there, or ` +
      'make it depend on process.env.NODE_ENV. (US0864)',
  )
}
