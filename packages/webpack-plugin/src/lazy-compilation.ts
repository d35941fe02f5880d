import type { CompilerOptions } from './compiler.ts'

interface LazyModule {
  nameForCondition(): string | null | undefined
}

/** Where webpack and Rspack have the same option: `true`, or which modules are compiled when they are first asked for. */
interface LazyHolder {
  lazyCompilation?: unknown
}

/** What mocking consists of: this plugin, the engine, and what the engine loads by and by. */
const ofMocking =
  /[\\/](webpack-plugin|engine)[\\/](dist|src)[\\/]|[\\/]@mswjs[\\/]interceptors[\\/]|[\\/]node_modules[\\/]graphql[\\/]/

/**
 * The clients of dev servers bring what is compiled lazily, and must not wait for that themselves. webpack knows that of
 * webpack-dev-server 5, where it is installed by its own name, and not yet that of webpack-dev-server 6.
 */
const ofDevServer = /[\\/]webpack-dev-(middleware|server)[^\\/]*[\\/]client[\\/]/

/**
 * Keeps mocking out of lazy compilation: while a request waits for a part of it, a compiler must not begin to build that
 * part, and send it by a hot update.
 */
export function compileMockingEagerly(options: CompilerOptions): void {
  excludeFrom(options)
  if (options.experiments) excludeFrom(options.experiments)
}

function excludeFrom(holder: LazyHolder): void {
  let value = holder.lazyCompilation
  // Rspack's command line sets it after all plugins have been applied.
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

/** The same as globs, which webpack 5.112 and later take. */
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
