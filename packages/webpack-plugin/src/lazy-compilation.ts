import type { CompilerOptions } from './compiler.ts'

interface LazyModule {
  nameForCondition(): string | null | undefined
}

/**
 * The holder of the option for lazy compilation in webpack and Rspack: `true`, or the modules that are compiled on the
 * first request.
 */
interface LazyHolder {
  lazyCompilation?: unknown
}

/** The modules of mocking: this plugin, the engine, and modules that the engine imports dynamically. */
const ofMocking =
  /[\\/](webpack-plugin|engine)[\\/](dist|src)[\\/]|[\\/]@mswjs[\\/]interceptors[\\/]|[\\/]node_modules[\\/]graphql[\\/]/

/**
 * The clients of dev servers deliver lazily compiled modules, so they must not be compiled lazily themselves. webpack
 * excludes webpack-dev-server 5 (under its usual package name), but not version 6.
 */
const ofDevServer = /[\\/]webpack-dev-(middleware|server)[^\\/]*[\\/]client[\\/]/

/**
 * Excludes mocking from lazy compilation. Otherwise, a request would wait for a part of mocking that the compiler
 * builds only then, and sends as a hot update.
 */
export function compileMockingEagerly(options: CompilerOptions): void {
  excludeFrom(options)
  if (options.experiments) excludeFrom(options.experiments)
}

function excludeFrom(holder: LazyHolder): void {
  let value = holder.lazyCompilation
  // Rspack's command line sets the option after all plugins were applied.
  Object.defineProperty(holder, 'lazyCompilation', {
    configurable: true,
    enumerable: true,
    get: () => (value ? withoutMocking(value) : value),
    set: (next: unknown) => {
      value = next
    },
  })
}

function withoutMocking(value: unknown): object {
  const given = typeof value === 'object' ? (value as { test?: unknown }) : {}
  const { test } = given
  if (isGlob(test)) return { ...given, test: { glob: [test.glob, ...globs].flat() } }
  return {
    ...given,
    test: (module: LazyModule) => {
      const name = module.nameForCondition() ?? ''
      if (ofMocking.test(name) || ofDevServer.test(name)) return false
      if (test instanceof RegExp) return test.test(name)
      if (typeof test === 'string') return name.startsWith(test)
      return typeof test !== 'function' || Boolean((test as (module: LazyModule) => unknown)(module))
    },
  }
}

/** The same as globs, which webpack 5.112 and later accept. */
const globs = [
  '!**/{webpack-plugin,engine}/{dist,src}/**',
  '!**/@mswjs/interceptors/**',
  '!**/node_modules/graphql/**',
  '!**/webpack-dev-middleware*/client/**',
  '!**/webpack-dev-server*/client/**',
]

function isGlob(test: unknown): test is { glob: string | string[] } {
  return typeof test === 'object' && test !== null && 'glob' in test
}
