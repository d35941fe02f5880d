/**
 * Runs the unit tests that MSW's packages contain: `LIBRARY` is the package, and `SUBJECT` is `msw` for MSW's own sources, or `understudy`.
 */
import { join } from 'node:path'

import { defineConfig } from 'vitest/config'

import { files } from './files.ts'

const { LIBRARY: library, SUBJECT: subject } = process.env
const sandbox = join(import.meta.dirname, '..')
const sources = join(sandbox, 'node_modules', library, 'src')

export default defineConfig({
  root: sandbox,
  cacheDir: join(sandbox, '.tmp/vite'),
  define: { SERVICE_WORKER_CHECKSUM: '"checksum"' },
  plugins: [
    {
      name: 'the-library-under-test',
      enforce: 'pre',
      resolveId(source, importer) {
        const isLocal = source.startsWith('.') || source.startsWith('#')
        if (subject === 'understudy' && importer?.startsWith(sources) && importer.endsWith('.test.ts') && isLocal)
          return join(import.meta.dirname, 'understudy.js')
        // The sources of MSW 3 name each other by `imports` of its package.json, which leads to its build.
        if (source.startsWith('#')) return this.resolve(join(sources, source.slice(1)))
      },
      transform(code, id) {
        // An environment of MSW's repository, which has the class that Node has today.
        if (id.startsWith(sources))
          return code.replace('@vitest-environment node-websocket', '@vitest-environment node')
      },
    },
  ],
  test: {
    globals: true,
    // A process for each file takes most of the time. The tests of MSW pass without, so that they leave their process as it was.
    isolate: false,
    fsModuleCache: false,
    environment: 'node',
    environmentOptions: { jsdom: { url: 'http://localhost/' } },
    include: files[library].map((file) => `node_modules/${library}/src/${file}.test.ts`),
    exclude: [],
    server: { deps: { inline: [/node_modules\/msw-\d\/src/] } },
  },
})
