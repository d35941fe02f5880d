/**
 * The common members of webpack's and Rspack's compilers that are used here. The plugin imports neither package, but
 * uses the classes on the compiler, which have the right version.
 */
export interface Compiler {
  /** The project's root, absolute. */
  readonly context: string
  readonly options: CompilerOptions
  /** The platform of the output: `true`, `false`, or `null` if it is unknown. */
  readonly platform: { readonly web?: boolean | null; readonly webworker?: boolean | null }
  readonly hooks: {
    readonly environment: Hook<[]>
    readonly compile: Hook<[params: object]>
    readonly thisCompilation: Hook<[compilation: Compilation]>
    readonly compilation: Hook<[compilation: Compilation]>
    readonly done: Hook<[stats: { readonly compilation: Compilation }]> & {
      readonly taps: readonly { readonly name: string }[]
    }
    readonly failed: Hook<[error: Error]>
  }
  /** Validates the options of other plugins. webpack 5.106 and later have it. */
  validate?: (schema: never, value: never, about?: { readonly name?: string }, ...rest: never[]) => void
  getInfrastructureLogger(name: string): { warn(message: string): void }
  /** Only Rspack's compilers have it. */
  readonly rspack?: object
  readonly outputPath: string
  /** The file system of the output: the disk, or a dev server's memory. */
  readonly outputFileSystem?: FileSystem | null
  readonly webpack: {
    readonly EntryPlugin: new (
      context: string,
      entry: string,
      options: { name?: never },
    ) => { apply(compiler: unknown): void }
    readonly Compilation: { readonly PROCESS_ASSETS_STAGE_ADDITIONAL: number }
    readonly RuntimeModule: new (name: string) => { generate(): string | null }
    readonly WebpackError: new (message: string) => Error
    readonly sources: { readonly RawSource: new (text: string) => object }
  }
}

/** A compiler's options, after its defaults have been applied. */
export interface CompilerOptions {
  readonly mode?: string
  readonly devtool?: unknown
  readonly plugins: readonly unknown[]
  ignoreWarnings?: unknown[] | undefined
  /** Rspack's. */
  lazyCompilation?: unknown
  /** webpack's has `lazyCompilation`. */
  readonly experiments?: object
  readonly resolve?: { readonly alias?: object | false }
  readonly module?: { readonly rules?: readonly unknown[] }
  readonly output: {
    readonly publicPath?: unknown
    readonly uniqueName?: string
  }
  /** The dev server's options; `false` if this compiler has no dev server. */
  devServer?: unknown
}

interface FileSystem {
  readFile(path: string, callback: (error: Error | null | undefined, content?: string | Uint8Array) => void): void
}

export interface Compilation {
  /** The compilation of a child compiler has a parent. */
  readonly compiler: { readonly parentCompilation?: Compilation | undefined }
  readonly modules: Iterable<Module>
  readonly outputOptions: { readonly chunkLoading?: unknown }
  readonly errors: Error[]
  readonly warnings: Error[]
  readonly entries: { values(): Iterable<{ readonly dependencies: readonly object[] }> }
  // `never`, because each compiler accepts only objects that it created itself.
  readonly chunkGraph: {
    getModuleChunksIterable(module: never): Iterable<{ readonly runtime: unknown }>
    getModuleId(module: never): string | number | null
  }
  readonly codeGenerationResults?: {
    get(
      module: never,
      runtime: never,
    ): { readonly sources: { get(type: string): Source | null | undefined } } | undefined
  }
  readonly moduleGraph: {
    getModule(dependency: never): Module | null
    getOutgoingConnections(module: never): Iterable<{ readonly module: Module | null }>
  }
  readonly hooks: {
    readonly afterOptimizeModules: Hook<[modules: object]>
    readonly finishModules: Hook<[modules: object]>
    readonly processAssets: Hook<[assets: object]>
    readonly buildModule: Hook<[module: Module]>
    /** Called for each chunk with a runtime. */
    readonly additionalTreeRuntimeRequirements: Hook<[chunk: Chunk, requirements: object]>
  }
  addRuntimeModule(chunk: never, module: never): void
  emitAsset(name: string, source: object): void
}

export interface Chunk {
  /** The entries and dynamic imports to which it belongs. Initial ones are entries of the configuration. */
  readonly groupsIterable: Iterable<{ isInitial(): boolean }>
}

/** A text with its source map. */
export interface Source {
  source(): string | Uint8Array
  map?(options?: object): object | null
}

export interface Module {
  readonly type: string
  /** Whether the lines of its output map to its source lines. Only webpack's modules have a setter. */
  useSourceMap?: boolean
  /** Whether its lines map to those of the code that loaders return. Only webpack's modules have it. */
  useSimpleSourceMap?: boolean
  /** The file, maybe with a query; `undefined` if the module has no file. */
  readonly resource?: string
  /** The error because of which the module throws. Only webpack's modules have a setter. */
  error?: Error | null
  /** The errors that loaders reported. */
  getErrors?(): Iterable<Error> | undefined
}

interface Hook<Arguments extends readonly unknown[]> {
  tap(options: string | { name: string; stage?: number }, callback: (...args: Arguments) => void): void
}
