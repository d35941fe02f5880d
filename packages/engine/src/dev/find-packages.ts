import { readFile } from 'node:fs/promises'

/** The used part of what Vite (6 and later) calls hooks with. */
interface HookContext {
  readonly environment: {
    readonly mode: string
    readonly depsOptimizer?: {
      readonly metadata: { readonly optimized: object }
      isOptimizedDepFile(id: string): boolean
    }
    readonly plugins: readonly { readonly name: string; readonly transform?: unknown }[]
  }
  parse(code: string): object
  resolve(source: string, importer: string): Promise<{ id: string; external?: unknown } | null>
}

type Transform = (this: HookContext, code: string, id: string, options: object) => Promise<{ code: string } | undefined>

interface ResolvedViteConfig {
  readonly plugins: readonly { readonly name: string }[]
  readonly environments?: {
    readonly client?: { readonly dev: { readonly warmup: string[] }; readonly optimizeDeps: { noDiscovery?: boolean } }
  }
}

/** The plugin, in the types of any version of Vite. */
interface PackagesPlugin {
  name: string
  enforce: 'pre'
  apply: 'serve'
  configResolved(config: ResolvedViteConfig): void
  resolveId: { filter: { id: RegExp }; handler(id: string): string | undefined }
  load: { filter: { id: RegExp }; handler(id: string): Promise<string | undefined> }
}

const isCode = /\.[cm]?[jt]sx?$/
const isPlain = /\.[cm]?js$/
/** Large modules often have only data. Parsing 20,000 objects blocks the dev server for more than a second. */
const mayImport = /\bimport\b|\bfrom\s*["']/

/**
 * Creates a plugin for Vite that finds the packages that only the handlers import when the dev server starts. Vite looks for packages in the
 * app's code, which does not import the handlers, and would find these when a page loads the handlers. It may reload the page then.
 *
 * @param findFile returns the path of the handlers module, if there is one
 * @param isOn returns whether pages load the handlers
 */
export function createPackagesPlugin(
  name: string,
  findFile: () => string | undefined,
  isOn: (config: ResolvedViteConfig) => boolean,
): PackagesPlugin {
  // Vite warms up files of the root, so that it becomes a URL.
  const warmUpId = `virtual:${name}`
  return {
    name,
    enforce: 'pre',
    apply: 'serve',

    configResolved(config) {
      const { client } = config.environments ?? {}
      if (client && !client.optimizeDeps.noDiscovery && isOn(config)) client.dev.warmup.push(warmUpId)
    },

    resolveId: {
      filter: { id: new RegExp(`^/${warmUpId}$`) },
      handler: (id) => (id === `/${warmUpId}` ? `\0${warmUpId}` : undefined),
    },

    load: {
      // A NUL character is hard to see in an expression.
      filter: { id: new RegExp(`^.${warmUpId}$`) },
      async handler(this: unknown, id) {
        if (id !== `\0${warmUpId}`) return undefined
        const context = this as HookContext
        const { mode, depsOptimizer } = context.environment
        // Vite bundles packages when all warmed modules are loaded. With a cache, it bundles nothing.
        if (mode === 'dev' && depsOptimizer && Object.keys(depsOptimizer.metadata.optimized).length === 0) {
          const file = findFile()
          if (file) await visit(context, file, new Set())
        }
        return 'export {}'
      },
    },
  }
}

/**
 * Resolves the imports of a module, and of the modules that it imports: Vite bundles the packages that it resolves. As Vite's own search, it
 * does not call the plugins that load and transform modules. Some of them take the first module for the app's entry. And what Vite
 * transforms is sent to pages, although its file may have changed before the server watches files.
 */
async function visit(context: HookContext, id: string, seen: Set<string>): Promise<void> {
  if (seen.has(id)) return
  seen.add(id)
  // If it fails, so does the page's own request, and Vite reports that.
  const sources = await readFile(id, 'utf8')
    .then(async (text) => (mayImport.test(text) ? listImports(await compile(context, text, id)) : []))
    .catch(() => [])
  await Promise.all(
    sources.map(async (source) => {
      const resolved = await context.resolve(source, id).catch(() => null)
      if (!resolved || resolved.external || !isCode.test(resolved.id) || resolved.id.startsWith('\0')) return
      // A bundle exists only later. Waiting for it here would never end.
      if (context.environment.depsOptimizer?.isOptimizedDepFile(resolved.id)) return
      if (!resolved.id.includes('/node_modules/')) await visit(context, resolved.id, seen)
    }),
  )
}

/** Parses a module after Vite's own plugins have removed its types and replaced its globs. */
async function compile(context: HookContext, text: string, id: string): Promise<object> {
  const names = [...(isPlain.test(id) ? [] : ['vite:esbuild', 'vite:oxc']), 'vite:import-glob']
  let code = text
  for (const { name, transform } of context.environment.plugins) {
    if (!names.includes(name) || !transform) continue
    const hook = (
      typeof transform === 'function' ? transform : (transform as { handler: unknown }).handler
    ) as Transform
    const result = await hook.call(context, code, id, { moduleType: /\.[cm]?(tsx?|jsx)$/.exec(id)?.[1] ?? 'js' })
    code = result?.code ?? code
  }
  return context.parse(code)
}

/** Lists the modules that a module imports, also dynamically. Long sums are nested too deeply for a function that calls itself. */
function listImports(module: object): string[] {
  const sources: string[] = []
  const left: unknown[] = [module]
  while (left.length > 0) {
    const node = left.pop()
    if (typeof node !== 'object' || node === null) continue
    const { type, source } = node as { type?: unknown; source?: { value?: unknown } | null }
    const isImport = typeof type === 'string' && /^(?:Import|Export)\w*(?:Declaration|Expression)$/.test(type)
    if (isImport && typeof source?.value === 'string') sources.push(source.value)
    for (const value of Object.values(node)) left.push(value)
  }
  return sources
}
