import { playwright } from '@vitest/browser-playwright'
import { defaultClientConditions, defaultServerConditions, type Plugin } from 'vite'
import { configDefaults, defineConfig } from 'vitest/config'

import { bundleClassicScript, classicScripts, constants } from './packages/engine/build.ts'
import { findChromium } from './test/find-chromium.ts'
import { findHeavySandboxes } from './test/heavy-sandboxes.ts'

/** Workspace packages answer with their sources: no test runs a build that is older than the code. */
const sourceCondition = '@understudy/source'

const resolve = { conditions: [sourceCondition, ...defaultClientConditions] }
const ssr = { resolve: { conditions: [sourceCondition, ...defaultServerConditions] } }

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

/** Left out where there is no Chromium: the chromium project then fails with Playwright's own words. */
const executablePath = findChromium()?.path

/** Each project has a browser of its own, and Vitest wants a name for each. */
const browserOf = (name: string) => ({
  enabled: true,
  headless: true,
  screenshotFailures: false,
  provider: playwright({
    launchOptions: {
      ...(executablePath && { executablePath }),
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
  instances: [{ browser: 'chromium' as const, name }],
})

/**
 * The tests of the second tier, which `test/run-all.ts` runs: those of sandboxes after it has installed them, and
 * those that only repeat the first tier on other versions of the tools.
 */
const heavyTests = [
  'test/older-versions/**/*.test.ts',
  // Opt-in: npm run test:webkit.
  'test/webkit/**/*.test.ts',
  'test/floods/**/*.test.ts',
  // Builds the documentation site.
  'test/site/**/*.test.ts',
  // What Vite proves in the first tier, once more; that nothing escapes before the first line stays there.
  'test/webpack/{broken-handlers,builds,documents,hot-swap,kinds,panel,scenarios}.test.ts',
  // What people see of it, in a page of its own.
  'test/vite/panel*.test.ts',
  ...findHeavySandboxes().map(({ name }) => `sandboxes/${name}/test/**/*.test.ts`),
]

/** The tests of the second tier in Firefox. */
const firefoxTests = ['test/firefox/**/*.test.ts']

/** What starts build tools and browsers. */
const withTools = {
  environment: 'node' as const,
  env: { ...(executablePath && { UNDERSTUDY_CHROMIUM: executablePath }) },
  expect: { poll: { timeout: 20_000 } },
  testTimeout: 120_000,
  hookTimeout: 120_000,
}

/** The type tests run under each compiler that projects use, and with and without `exactOptionalPropertyTypes`. */
const typeTests = [
  { compiler: 'typescript 7', checker: './node_modules/typescript/bin/tsc' },
  { compiler: 'typescript 5.9', checker: './test/types/node_modules/typescript/bin/tsc' },
].flatMap(({ compiler, checker }) =>
  ['tsconfig.json', 'tsconfig.templates.json'].map((tsconfig) => ({
    test: {
      name: `types (${compiler}, ${tsconfig})`,
      include: [],
      typecheck: {
        enabled: true,
        only: true,
        checker,
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
    // Vitest leaves one core to its main process, which has little to do.
    maxWorkers: '100%',
    projects: [
      ...typeTests,
      {
        resolve,
        ssr,
        test: {
          name: 'node',
          include: ['packages/*/src/**/*.test.ts'],
          exclude: [...configDefaults.exclude, '**/*.browser.test.ts'],
          environment: 'node',
          // Some build an app.
          testTimeout: 30_000,
          globalSetup: 'test/upstream.ts',
          sequence: { groupOrder: 1 },
        },
      },
      {
        // The older of the two `graphql` packages that a schema may be executed by.
        resolve: { ...resolve, alias: { graphql: 'graphql-16' } },
        ssr,
        test: {
          name: 'graphql-16',
          include: ['packages/engine/src/graphql/{*,{request,schema,subscriptions}/*}.test.ts'],
          exclude: [...configDefaults.exclude, '**/*.browser.test.ts', '**/*.node.test.ts'],
          environment: 'node',
          globalSetup: 'test/upstream.ts',
          sequence: { groupOrder: 1 },
        },
      },
      {
        // What knows no runtime is tested in both: the same files as above.
        plugins: [understudyWorker()],
        define: constants,
        resolve,
        // Known beforehand: one that is found on the way reloads the test that needs it.
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
          include: [
            'packages/engine/src/**/*.browser.test.ts',
            'packages/engine/src/{core,http,graphql,ws,sse,rest,inspect}/**/*.test.ts',
          ],
          exclude: [...configDefaults.exclude, '**/*.node.test.ts', '**/gate/**'],
          globalSetup: 'test/upstream.ts',
          sequence: { groupOrder: 1 },
          testTimeout: 30_000,
          browser: browserOf('in Chromium'),
        },
      },
      {
        // The gate counts what leaves a page: in a browser of its own, where no test has registered a service worker.
        define: constants,
        resolve,
        test: {
          name: 'gate',
          include: ['packages/engine/src/browser/gate/**/*.browser.test.ts'],
          sequence: { groupOrder: 2 },
          testTimeout: 30_000,
          browser: browserOf('the gate, in Chromium'),
        },
      },
      {
        // The examples of README.md and docs, as tests, and what compilers say of our types. They need no built packages.
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
          ...withTools,
          name: 'acceptance',
          // They wait for their tools half of the time.
          maxWorkers: 2,
          include: ['test/**/*.test.ts', 'sandboxes/*/test/**/*.test.ts'],
          exclude: [
            ...configDefaults.exclude,
            'test/fixtures/**',
            'test/{docs,types,word-check,error-codes}/**',
            ...heavyTests,
            ...firefoxTests,
          ],
          globalSetup: 'test/acceptance/build-packages.ts',
          sequence: { groupOrder: 3 },
        },
      },
      {
        resolve,
        ssr,
        test: {
          ...withTools,
          name: 'firefox',
          include: firefoxTests,
          // They wait half of the time: for Firefox, for dev servers, and for the ends of idle workers.
          maxWorkers: 2,
          sequence: { groupOrder: 5 },
        },
      },
      {
        resolve,
        ssr,
        test: {
          ...withTools,
          name: 'heavy',
          include: heavyTests,
          // Each bundler already uses every core.
          fileParallelism: false,
          maxWorkers: 1,
          sequence: { groupOrder: 4 },
        },
      },
    ],
  },
})
