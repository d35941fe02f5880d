import { playwright } from '@vitest/browser-playwright'
import type { Plugin } from 'vite'
import { configDefaults, defineConfig } from 'vitest/config'
import type { BrowserInstanceOption } from 'vitest/node'

import { bundleClassicScript, classicScripts, constants } from './packages/engine/build.ts'
import { findForTest } from './test/find-chromium.ts'
import {
  executablePath,
  firefoxTests,
  heavyTests,
  inSharedProcess,
  resolve,
  secondTierProjects,
  ssr,
  withTools,
} from './test/second-tier-projects.ts'

/** Serves the service worker, bundled from its sources at every request. */
function understudyWorker(): Plugin {
  return {
    name: 'understudy-worker',
    configureServer(server) {
      server.middlewares.use('/understudy-worker.js', (_request, response, next) => {
        bundleClassicScript(classicScripts['worker.js']).then((script) => {
          response.setHeader('Content-Type', 'text/javascript')
          response.setHeader('Service-Worker-Allowed', '/')
          response.setHeader('Cache-Control', 'no-store')
          response.end(script)
        }, next)
      })
    },
  }
}

/**
 * Lets the browser keep the modules of the engine during a run. Each test file loads them again, and the browser would ask for each
 * whether it has changed.
 */
function keptModules(): Plugin {
  return {
    name: 'kept-modules',
    configureServer(server) {
      const isWatching = server.config.server.watch !== null
      server.middlewares.use((_request, response, next) => {
        const setHeader = response.setHeader.bind(response)
        response.setHeader = (name, value) =>
          setHeader(name, !isWatching && name === 'Cache-Control' && value === 'no-cache' ? 'max-age=3600' : value)
        next()
      })
    },
  }
}

/** Tests that change their page. */
const withPagesOfTheirOwn = ['packages/{engine,panel,storybook-addon}/src/**/*.browser.test.ts']

/**
 * Tests of logic, which leave their page as it was. Their files share pages
 * ([decision 455](docs/decisions/0455-what-else-ci-repeats.md)).
 */
const inSharedPage = ['packages/engine/src/{core,http,graphql,ws,sse,rest,inspect}/**/*.test.ts']

/** Gives each test file its own modules of `testing/`. They call `afterEach`, which is about the file that loads them. */
function ownTestingModules(): Plugin {
  return {
    name: 'own-testing-modules',
    enforce: 'pre',
    async resolveId(source, importer) {
      if (!source.includes('/testing/') || !importer?.includes('.test.ts')) return null
      const resolved = await this.resolve(source, importer, { skipSelf: true })
      return (
        resolved && `${resolved.id}?of=${importer.slice(import.meta.dirname.length + 1).replaceAll(/[^\w.-]/g, '_')}`
      )
    },
  }
}

/**
 * Each project has its own browser, and Vitest requires a name for each.
 *
 * @param path the executable. Without one, Playwright uses its own
 */
const browserOf = (instances: Partial<BrowserInstanceOption>[], path: string | undefined) => ({
  enabled: true,
  headless: true,
  screenshotFailures: false,
  provider: playwright({
    launchOptions: {
      ...(path && { executablePath: path }),
      args: [
        '--no-sandbox',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  }),
  instances: instances.map((instance) => ({ ...instance, browser: 'chromium' as const })),
})

/**
 * The tests of logic, which leave their process as it was. Their files share processes, one for each core, with modules of their own
 * ([decision 255](docs/decisions/0255-tests-of-logic-share-processes.md)).
 */
const sharedProcess = [
  'packages/engine/src/{core,http,graphql,ws,sse,rest,inspect}/**/*.test.ts',
  'packages/{panel,migrate,msw}/src/**/*.test.ts',
  // The preview loads parts of Storybook, which add globals.
  'packages/storybook-addon/src/!(preview)/**/*.test.ts',
]

/**
 * What runs on the repository's own Node only, 24: random inputs, what the engine keeps in memory, what bundlers make of many forms of
 * code, and how code is rewritten as text. Other files call the same functions of the engine and of the plugins
 * ([decision 360](docs/decisions/0360-what-depends-on-the-build-tool.md), [decision 390](docs/decisions/0390-tests-share-pages-and-builds.md),
 * [decision 400](docs/decisions/0400-repetitions-of-shared-code.md)).
 */
const onlyOnOwnNode = [
  '**/!(request-heads).fuzz.node.test.ts',
  '**/memory.node.test.ts',
  '**/index-and-plain-scan.test.ts',
  '**/build/leak-check.test.ts',
  '**/webpack-plugin/src/leak-check.test.ts',
  '**/page/web-workers.test.ts',
  '**/page/extension-pages.test.ts',
  '**/engine-maps.test.ts',
  '**/error-overlay.test.ts',
  '**/syntax-errors.test.ts',
  '**/panel/src/handler-code/*.test.ts',
  '**/migrate/src/!(migrate|other-projects|alias-msw).test.ts',
]
const isOwnNode = process.versions.node.startsWith('24.')

const inNode = {
  exclude: [...configDefaults.exclude, '**/*.browser.test.ts', ...(isOwnNode ? [] : onlyOnOwnNode)],
  environment: 'node' as const,
  // Some tests build an app.
  expect: { poll: { timeout: 10_000 } },
  testTimeout: 30_000,
  globalSetup: 'test/upstream.ts',
  sequence: { groupOrder: 1 },
}

/** Tests of the first tier that start tools and browsers, and leave their process as it was. */
const withBrowsers = ['test/{vite,webpack,vitest}/**/*.test.ts', 'sandboxes/vite-react/test/app.test.ts']

const acceptance = {
  // These tests wait for their tools half of the time: two workers use one core of two.
  maxWorkers: 3,
  exclude: [
    ...configDefaults.exclude,
    'test/fixtures/**',
    'test/{docs,types,word-check,error-codes}/**',
    ...heavyTests,
    ...firefoxTests,
  ],
  globalSetup: 'test/acceptance/build-packages.ts',
  sequence: { groupOrder: 3 },
}

/**
 * The type tests run under each compiler that projects use, and with and without `exactOptionalPropertyTypes`: TypeScript 5.9 with the
 * options that most projects have. `sandboxes/msw-names` compiles with all combinations.
 */
const typeTests = [
  { compiler: 'typescript 7', tsconfigs: ['tsconfig.json', 'tsconfig.templates.json'], folder: '.' },
  { compiler: 'typescript 5.9', tsconfigs: ['tsconfig.templates.json'], folder: './test/types' },
].flatMap(({ compiler, tsconfigs, folder }) =>
  tsconfigs.map((tsconfig) => ({
    test: {
      name: `types (${compiler}, ${tsconfig})`,
      include: [],
      typecheck: {
        enabled: true,
        only: true,
        checker: `${folder}/node_modules/typescript/bin/tsc`,
        include: ['packages/*/src/**/*.test-d.ts'],
        tsconfig: `./test/types/${tsconfig}`,
        // `npm run check:types` reports errors outside the type tests.
        ignoreSourceErrors: true,
      },
    },
  })),
)

export default defineConfig({
  test: {
    // By default, Vitest reserves one core for its main process, which does not need it.
    maxWorkers: '100%',
    projects: [
      ...typeTests,
      {
        resolve,
        ssr,
        test: {
          ...inNode,
          name: 'node',
          include: sharedProcess,
          isolate: false,
          setupFiles: 'test/shared-process.ts',
        },
      },
      {
        // Tests of interception, which change the process, and tests that run build tools in it.
        resolve,
        ssr,
        test: {
          ...inNode,
          name: 'node-alone',
          include: ['packages/*/src/**/*.test.ts'],
          exclude: [...inNode.exclude, ...sharedProcess],
        },
      },
      {
        // The older one of the two supported versions of the package `graphql`.
        resolve: { ...resolve, alias: { graphql: 'graphql-16' } },
        ssr,
        test: {
          ...inNode,
          name: 'graphql-16',
          include: ['packages/engine/src/graphql/{*,{request,schema,subscriptions}/*}.test.ts'],
          exclude: [...inNode.exclude, '**/*.node.test.ts'],
          isolate: false,
          setupFiles: 'test/shared-process.ts',
        },
      },
      {
        // Code that does not depend on a runtime is tested in Node and in a browser, with the same test files.
        plugins: [understudyWorker(), keptModules(), ownTestingModules()],
        define: constants,
        resolve,
        // List all dependencies: if Vite discovers one during a test, it reloads the page of that test.
        optimizeDeps: {
          include: [
            '@apollo/client',
            '@apollo/client/link/batch-http',
            '@apollo/client/link/persisted-queries',
            '@urql/core',
            'engine.io-parser',
            'fast-check',
            'graphql',
            'graphql-request',
            'graphql-sse',
            'graphql-ws',
            'relay-runtime',
            'socket.io-client',
            'subscriptions-transport-ws',
          ],
        },
        test: {
          name: 'chromium',
          // Each instance has its own files. Vitest looks for dependencies in the default ones, too, which are those of all sandboxes.
          include: [],
          exclude: [...configDefaults.exclude, '**/*.node.test.ts', '**/gate/**'],
          globalSetup: 'test/upstream.ts',
          sequence: { groupOrder: 1 },
          // On a busy machine, the panel gets updates at longer intervals.
          expect: { poll: { timeout: 10_000 } },
          testTimeout: 30_000,
          browser: browserOf(
            [
              { name: 'in Chromium', include: withPagesOfTheirOwn },
              {
                name: 'in Chromium, in shared pages',
                include: inSharedPage,
                exclude: [...configDefaults.exclude, '**/*.node.test.ts', '**/*.browser.test.ts'],
                isolate: false,
                setupFiles: 'test/shared-page.ts',
              },
            ],
            findForTest(),
          ),
        },
      },
      {
        // The tests of the gate count the requests that leave a page. They need a separate browser, in which no other
        // test has registered a service worker.
        define: constants,
        resolve,
        test: {
          name: 'gate',
          include: ['packages/engine/src/browser/gate/**/*.browser.test.ts'],
          sequence: { groupOrder: 2 },
          testTimeout: 30_000,
          browser: browserOf([{ name: 'the gate, in Chromium' }], executablePath),
        },
      },
      {
        // Runs the examples of README.md and docs, and checks the compilers' messages about our types. These tests need
        // no built packages.
        resolve,
        ssr,
        test: {
          name: 'docs',
          include: ['test/{docs,types,word-check,error-codes}/**/*.test.ts'],
          environment: 'node',
          sequence: { groupOrder: 1 },
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        resolve,
        ssr,
        test: {
          ...inSharedProcess,
          ...acceptance,
          name: 'acceptance',
          include: withBrowsers,
        },
      },
      {
        // Tests of clients in their own process, and of packages.
        resolve,
        ssr,
        test: {
          ...withTools,
          ...acceptance,
          name: 'acceptance-alone',
          include: ['test/**/*.test.ts', 'sandboxes/*/test/**/*.test.ts'],
          exclude: [...acceptance.exclude, ...withBrowsers],
        },
      },
      ...secondTierProjects,
    ],
  },
})
