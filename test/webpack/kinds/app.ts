const ask = `const ask = (name) => fetch('/api/' + name).then((response) => response.json()).then(({ text }) => {
  (globalThis.answers ??= {})[name] = text
})
globalThis.ask = ask
`

/** The text of a handlers file with one handler. */
export const handlersOf = (
  path: string,
  text = 'the mock',
): string => `import { http, HttpResponse } from '@understudy/engine'
export const handlers = [http.get('/api/${path}', () => HttpResponse.json({ text: '${text}' }))]
`

/** The text of a page that loads a script. */
export const page = (src: string): string =>
  `<!doctype html><meta charset="utf-8" /><title>App</title><link rel="icon" href="data:," /><script src="${src}"></script>`

/** The app: the files that its configurations use. */
export const files = {
  'src/mocks/handlers.js': handlersOf('*'),
  'src/mocks/host.js': handlersOf('host'),
  'src/mocks/remote.js': handlersOf('remote'),
  'src/mocks/lazy.js': `import { http, HttpResponse } from '@understudy/engine'
export const handlers = [
  http.get('/api/late', async () => HttpResponse.json({ text: (await import('./late.js')).text })),
  http.get('/api/*', () => HttpResponse.json({ text: 'the mock' })),
]
`,
  'src/mocks/late.js': "export const text = 'the mock'",
  // CommonJS: ECMAScript modules have no `require.context`.
  'src/context/package.json': '{}',
  'src/context/handlers.js': `const context = require.context('./features', true, /\\.js$/)
exports.handlers = context.keys().flatMap((key) => context(key).handlers)
`,
  'src/context/features/one.js': handlersOf('one'),
  'src/one.js': `${ask}ask('one')`,
  'src/two.js': `${ask}ask('two')`,
  'src/required.cjs': `${ask}ask('required')`,
  'src/common.cjs': `require('./required.cjs')\n${ask}ask('common')`,
  'src/library.js': `${ask}ask('library')\nexport const answer = 42`,
  'src/lazy.js': `${ask}ask('lazy')\nask('late')\nimport('./two.js')`,
  'src/host.js': `${ask}ask('host')\nimport('remote/widget')`,
  'src/widget.js': `${ask}ask('remote')`,
  'public/beside.html': page('/static/main.js'),
}

/** Each is a separate compiler with a page below its name. One server serves all of them. */
export const compilers = `
  { name: 'common', entry: './src/common.cjs' },
  {
    name: 'array',
    entry: ['./src/one.js', './src/two.js'],
    options: { worker: { file: 'mocks/worker.js', scope: '/array/' } },
  },
  { name: 'several', entry: { one: './src/one.js', two: './src/two.js' } },
  { name: 'function', entry: () => Promise.resolve({ main: './src/one.js' }) },
  { name: 'dependent', entry: { main: { import: './src/two.js', dependOn: 'shared' }, shared: './src/one.js' } },
  {
    name: 'runtime',
    entry: { one: './src/one.js', two: './src/two.js' },
    optimization: { runtimeChunk: 'single', splitChunks: { chunks: 'all' } },
  },
  { name: 'library', entry: './src/library.js', output: { library: { name: 'Library', type: 'window' } } },
  { name: 'module', entry: './src/one.js', output: { module: true }, experiments: { outputModule: true } },
  // The page is not part of its output, and is outside of its public path.
  { name: 'static', entry: './src/one.js' },
  { name: 'server', entry: './src/one.js', target: 'node' },
  {
    name: 'host',
    entry: './src/host.js',
    plugins: [new ModuleFederationPlugin({ remotes: { remote: 'remote@/remote/entry.js' } })],
    options: { handlers: 'src/mocks/host.js' },
  },
  {
    name: 'remote',
    entry: {},
    plugins: [
      new ModuleFederationPlugin({ name: 'remote', filename: 'entry.js', exposes: { './widget': './src/widget.js' } }),
    ],
    options: { handlers: 'src/mocks/remote.js' },
  },
`

/**
 * For each page: the names that it requests, and the path and scope of its worker, if that is not the page's folder.
 */
export const pages: Record<string, { names: string[]; worker?: { scope: string; script: string } }> = {
  'common/': { names: ['required', 'common'] },
  'array/': { names: ['one', 'two'], worker: { scope: 'array/', script: 'array/mocks/worker.js' } },
  'several/': { names: ['one', 'two'] },
  'function/': { names: ['one'] },
  'dependent/': { names: ['one', 'two'] },
  'runtime/': { names: ['one', 'two'] },
  'library/': { names: ['library'] },
  'module/': { names: ['one'] },
  'beside.html': { names: ['one'], worker: { scope: '', script: 'static/understudy-worker.js' } },
  'host/': { names: ['host', 'remote'] },
}
