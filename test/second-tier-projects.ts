import { defaultClientConditions, defaultServerConditions } from 'vite'
import type { TestProjectConfiguration } from 'vitest/config'

import { findChromium, findHeadlessShell } from './find-chromium.ts'
import { findHeavySandboxes } from './heavy-sandboxes.ts'

/** Workspace packages resolve to their sources, so that no test runs an outdated build. */
const sourceCondition = '@understudy/source'

export const resolve = { conditions: [sourceCondition, ...defaultClientConditions] }
export const ssr = { resolve: { conditions: [sourceCondition, ...defaultServerConditions] } }

/** `undefined` if there is no Chromium. Then the project `chromium` fails with Playwright's own error. */
export const executablePath: string | undefined = findChromium()?.path

/** The tests with Vite and webpack that run in the first tier: a file for each main path. */
const mainPaths = [
  'app-worker',
  'broken-handlers',
  'builds',
  'first-line',
  'hot-swap',
  'quick-edits',
  'service-worker',
  'starting',
  'trace',
  'vite-only',
]

/**
 * The tests of the second tier, which `test/run-all.ts` runs: rare cases with Vite and webpack, tests of sandboxes, after it has
 * installed them, and tests that repeat the first tier on other versions of the tools.
 */
export const heavyTests = [
  `test/vite/!(${mainPaths.join('|')}).test.ts`,
  // The pattern above excludes every name that begins with one of the list.
  'test/vite/service-worker-*.test.ts',
  // The scenarios are those of the tests with Vite.
  'test/webpack/!(first-line).test.ts',
  'test/older-versions/**/*.test.ts',
  // Opt-in: npm run test:webkit.
  'test/webkit/**/*.test.ts',
  'test/floods/**/*.test.ts',
  // Builds the documentation site.
  'test/site/**/*.test.ts',
  ...findHeavySandboxes().map(({ name }) => `sandboxes/${name}/test/**/*.test.ts`),
]

/** The tests of the second tier in Firefox. */
export const firefoxTests = ['test/firefox/**/*.test.ts']

/** Settings of projects whose tests start build tools and browsers. */
export const withTools = {
  environment: 'node' as const,
  env: {
    ...(executablePath && { UNDERSTUDY_CHROMIUM: executablePath }),
    UNDERSTUDY_HEADLESS_SHELL: findHeadlessShell() ?? '',
  },
  // A poll that reads a page takes 3 milliseconds of processor time, so a short interval slows down the tool that it waits for.
  expect: { poll: { timeout: 20_000, interval: 150 } },
  // Longer than the limit on the start of a tool in `test/acceptance/run-tool.ts`, so that a failure shows the tool's output.
  testTimeout: 240_000,
  hookTimeout: 240_000,
}

/**
 * Files that share processes and browsers, one file after the other: each starts tools, and leaves its process as it was
 * ([decision 290](../docs/decisions/0290-test-files-share-processes-and-browsers.md)).
 */
export const inSharedProcess = {
  ...withTools,
  env: { ...withTools.env, UNDERSTUDY_KEEPS_BROWSERS: '1' },
  isolate: false,
}

/** The projects of the second tier. `vitest.second-tier.config.ts` has only these. */
export const secondTierProjects: TestProjectConfiguration[] = [
  {
    resolve,
    ssr,
    test: {
      ...inSharedProcess,
      name: 'firefox',
      include: firefoxTests,
      // These tests wait half of the time: for Firefox, for dev servers, and until Firefox ends idle workers.
      maxWorkers: 2,
      sequence: { groupOrder: 5 },
    },
  },
  {
    resolve,
    ssr,
    test: {
      ...inSharedProcess,
      name: 'heavy',
      include: heavyTests,
      // Each bundler already uses every core.
      fileParallelism: false,
      maxWorkers: 1,
      sequence: { groupOrder: 4 },
    },
  },
]
