import { existsSync, readFileSync, statSync } from 'node:fs'
import module, { createRequire, isBuiltin } from 'node:module'
import { dirname, extname, join, resolve as resolvePath, sep } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

import { PathAliases } from './path-aliases.ts'

/** The query parameter of modules that this loader evaluates, with their version. */
const mark = 'understudy'

const extensions = ['.ts', '.tsx', '.mts', '.js', '.jsx', '.mjs', '.cts', '.cjs', '.json']

/**
 * Evaluates the handlers module, and the modules of the project and of linked packages that it imports, in this process,
 * separately from Next's bundles, which Next replaces when it compiles. A changed module is evaluated again, and so are
 * the modules that import it.
 */
export class HandlersLoader {
  readonly #root: string
  readonly #aliases: PathAliases
  readonly #versions = new Map<string, number>()
  /** The modules that import a module, by path. */
  readonly #importers = new Map<string, Set<string>>()

  /** @throws {Error} if this version of Node has no hooks for modules */
  constructor(root: string) {
    // An import of this name would be a syntax error in a Node without it.
    if (typeof (module.registerHooks as unknown) !== 'function') {
      throw new Error(
        `Failed to load the handlers in the server: Node ${process.versions.node} has no module.registerHooks. Use Node 22.15 or later. (US0862)`,
      )
    }
    this.#root = root
    this.#aliases = new PathAliases(root)
    module.registerHooks({
      resolve: (specifier, context, next) => {
        const parent = this.#toPath(context.parentURL)
        if (parent === undefined) return next(specifier, context)
        const found = this.#find(specifier, dirname(parent))
        if (found !== undefined && !isInstalled(found)) return this.#resolveTo(found, parent)
        const resolved = next(specifier, { ...context, parentURL: pathToFileURL(parent).href })
        const linked = findLinked(specifier, resolved.url)
        return linked === undefined ? resolved : this.#resolveTo(linked, parent)
      },
      load: (url, context, next) => {
        const path = this.#toPath(url)
        if (path === undefined) return next(url, context)
        return { format: 'module', source: readModule(path, this.#root), shortCircuit: true }
      },
    })
  }

  /** The files that were evaluated, or whose evaluation failed. */
  get files(): readonly string[] {
    return [...this.#importers.keys()]
  }

  /** @throws what evaluating the module throws */
  async load(path: string): Promise<object> {
    this.#note(path, undefined)
    this.renew(path)
    try {
      return (await import(this.#toUrl(path))) as object
    } catch (error) {
      // Node caches the error of a module.
      for (const each of this.files) this.renew(each)
      throw withoutVersions(error)
    }
  }

  /** Marks a module, and all modules that import it, to be evaluated again when they are loaded next. */
  renew(path: string, seen: Set<string> = new Set()): void {
    if (seen.has(path)) return
    seen.add(path)
    this.#versions.set(path, (this.#versions.get(path) ?? 0) + 1)
    for (const importer of this.#importers.get(path) ?? []) this.renew(importer, seen)
  }

  #resolveTo(path: string, importer: string): { url: string; shortCircuit: true } {
    this.#note(path, importer)
    return { url: this.#toUrl(path), shortCircuit: true }
  }

  #note(path: string, importer: string | undefined): void {
    const importers = this.#importers.get(path) ?? new Set()
    if (importer !== undefined) importers.add(importer)
    this.#importers.set(path, importers)
  }

  #toUrl(path: string): string {
    const url = pathToFileURL(path)
    url.searchParams.set(mark, String(this.#versions.get(path) ?? 0))
    return url.href
  }

  #toPath(url: string | undefined): string | undefined {
    if (url === undefined || !url.startsWith('file:') || !url.includes(`?${mark}=`)) return undefined
    const path = fileURLToPath(url.replace(/\?.*$/, ''))
    return this.#importers.has(path) ? path : undefined
  }

  /** Resolves a specifier as bundlers do: extensions may be missing, and `paths` of tsconfig.json apply. */
  #find(specifier: string, from: string): string | undefined {
    if (isBuiltin(specifier)) return undefined
    if (/^\.\.?(\/|$)/.test(specifier)) return findFile(resolvePath(from, specifier))
    if (specifier.startsWith('/')) return findFile(specifier)
    for (const path of this.#aliases.list(specifier)) {
      const found = findFile(path)
      if (found !== undefined) return found
    }
    return undefined
  }
}

function isInstalled(path: string): boolean {
  return path.split(sep).includes('node_modules')
}

/**
 * Returns the file of a module that Node finds outside `node_modules`: of another package of a monorepo, which is linked
 * there, or of `imports` in `package.json`. The engine may be linked, too. Its copy must remain the one that mocks. Node
 * evaluates CommonJS, because only Node finds the names that it exports.
 */
function findLinked(specifier: string, url: string): string | undefined {
  if (!/^file:[^?#]*$/.test(url) || specifier.startsWith('@understudy/')) return undefined
  const path = fileURLToPath(url)
  const extension = extname(path)
  if (isInstalled(path) || !extensions.includes(extension)) return undefined
  return extension !== '.json' && isCommonJs(readFileSync(path, 'utf8'), extension) ? undefined : path
}

/**
 * Removes the versions from the paths in an error. Syntax errors and errors of missing files contain the path only in
 * their message.
 */
function withoutVersions(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const { name, message, stack = '' } = error
  const isOfLoader = error instanceof SyntaxError || (error as { code?: string }).code === 'ERR_MODULE_NOT_FOUND'
  // Folders may contain parentheses. Spaces are encoded.
  const plain = stack.replace(/(?:file:\/\/\S*?)?\?understudy=\d+/g, (url) => {
    const [file = ''] = url.split('?')
    return file === '' ? '' : fileURLToPath(file)
  })
  error.stack = isOfLoader ? `${name}: ${message}` : plain
  return error
}

function findFile(path: string): string | undefined {
  const withoutScript = path.replace(/\.([cm]?)js$/, '.$1ts')
  const candidates = [
    path,
    withoutScript,
    ...extensions.map((extension) => path + extension),
    ...extensions.map((extension) => join(path, `index${extension}`)),
  ]
  return candidates.find((candidate) => existsSync(candidate) && statSync(candidate).isFile())
}

function readModule(path: string, root: string): string {
  const text = readFileSync(path, 'utf8')
  const extension = extname(path)
  if (extension === '.json') return `export default ${text}`
  const isTyped = /^\.[cm]?tsx?$/.test(extension)
  const code = isTyped || extension === '.jsx' ? removeTypes(text, path, root) : text
  return asynchronous + (isCommonJs(code, extension) ? wrapCommonJs(code, path) : code)
}

/**
 * Makes a module asynchronous, on its first line. An error in a synchronous module would end the process: React
 * installs a promise hook in development, the error is still pending while that hook runs, and Node treats it as the
 * hook's error.
 */
const asynchronous = 'await undefined;'

function isCommonJs(code: string, extension: string): boolean {
  if (extension === '.cjs' || extension === '.cts') return true
  return !/^\s*(?:import|export)\b/m.test(code) && /\b(?:module\.)?exports\b/.test(code)
}

function wrapCommonJs(code: string, path: string): string {
  return `import { createRequire as __createRequire } from 'node:module'
const require = __createRequire(${JSON.stringify(pathToFileURL(path).href)})
const module = { exports: {} }
;(function (exports) { ${code}
})(module.exports)
export default module.exports
export const handlers = module.exports.handlers ?? module.exports.default ?? module.exports
`
}

interface TypeScript {
  transpileModule(text: string, options: object): { outputText: string }
}

/**
 * Removes types with Node, which keeps positions. The project's own compiler handles syntax that Node does not support
 * (JSX, enums).
 */
function removeTypes(text: string, path: string, root: string): string {
  try {
    if (!extname(path).endsWith('x')) return withoutWarning(() => module.stripTypeScriptTypes(text, { mode: 'strip' }))
  } catch (error) {
    if ((error as { code?: string }).code !== 'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX') throw withPlace(error as Error, path)
  }
  const typescript = findTypeScript(root)
  if (!typescript) {
    throw new Error(
      `Failed to read ${path}: Node cannot remove its types. Install "typescript", or use no enums, namespaces or JSX in handlers. (US0863)`,
    )
  }
  const compilerOptions = { target: 99, module: 99, jsx: 4, inlineSourceMap: true, sourceMap: false }
  return typescript.transpileModule(text, { fileName: path, compilerOptions }).outputText
}

function withPlace(error: Error, path: string): Error {
  return Object.assign(new SyntaxError(`${path}: ${error.message}`), { cause: error })
}

function findTypeScript(root: string): TypeScript | undefined {
  try {
    const found = createRequire(join(root, 'package.json'))('typescript') as Partial<TypeScript>
    return found.transpileModule ? (found as TypeScript) : undefined
  } catch {
    return undefined
  }
}

/** Suppresses Node's warning about an experimental function, which does not help the developer. */
function withoutWarning<Result>(callback: () => Result): Result {
  const emitWarning = Reflect.get(process, 'emitWarning')
  process.emitWarning = () => {}
  try {
    return callback()
  } finally {
    process.emitWarning = emitWarning
  }
}
