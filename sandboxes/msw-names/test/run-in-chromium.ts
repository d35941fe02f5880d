/** Runs the scenarios of `src/browser` on one library, in Chromium. */
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'

import { build } from 'esbuild'
import { chromium, type Page } from 'playwright'

import { findForTest } from '../../../test/find-chromium.ts'

const sandbox = join(import.meta.dirname, '..')
type Scenario = (given: { page: Page; openTab: () => Promise<Page> }) => Promise<unknown>

/** The worker script of each library, which a page registers as `/mockServiceWorker.js`. */
const workers: Record<string, string> = {
  'msw-2': 'node_modules/msw-2/lib/mockServiceWorker.js',
  'msw-3': 'node_modules/msw-3/lib/mockServiceWorker.js',
  '@understudy/msw': 'node_modules/@understudy/msw/dist/mockServiceWorker.js',
}

/**
 * @param library `'msw-2'`, `'msw-3'` or `'@understudy/msw'`
 * @returns the outcomes by the scenarios' names, with `<origin>` for the page's origin
 */
export async function runInChromium(library: string): Promise<Record<string, unknown>> {
  const bundle = await build({
    entryPoints: ['src/browser/page.js'],
    absWorkingDir: sandbox,
    alias: { library, 'library/browser': `${library}/browser` },
    bundle: true,
    write: false,
    format: 'iife',
  })
  // Not TypeScript: its functions run in pages.
  const { scenarios } = (await import(join(sandbox, 'src/browser/scenarios.js'))) as {
    scenarios: Record<string, Scenario>
  }
  const worker = await readFile(join(sandbox, workers[library] ?? ''))
  const server = createServer((request, response) => {
    const script = { '/page.js': bundle.outputFiles[0]?.text, '/mockServiceWorker.js': worker }[request.url ?? '']
    if (script !== undefined) response.setHeader('Content-Type', 'text/javascript').end(script)
    else if (request.url === '/') {
      response.setHeader('Content-Type', 'text/html').end('<!doctype html><script src="/page.js"></script>')
    } else response.writeHead(request.url === '/real' ? 200 : 404).end('real')
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`
  const executablePath = findForTest()
  const browser = await chromium.launch({ ...(executablePath && { executablePath }), args: ['--no-sandbox'] })
  try {
    const outcomes: Record<string, unknown> = {}
    for (const [name, run] of Object.entries(scenarios)) {
      const context = await browser.newContext()
      const openTab = async (): Promise<Page> => {
        const tab = await context.newPage()
        await tab.goto(origin)
        return tab
      }
      let outcome: unknown
      let timer: NodeJS.Timeout | undefined
      const hangs = new Promise((resolve) => (timer = setTimeout(resolve, 10_000, 'hangs')))
      try {
        outcome = await Promise.race([run({ page: await openTab(), openTab }), hangs])
      } catch (error) {
        outcome = { threw: String(error).split('\n')[0] }
      }
      clearTimeout(timer)
      await context.close()
      outcomes[name] = JSON.parse((JSON.stringify(outcome) ?? 'null').replaceAll(origin, '<origin>'))
    }
    return outcomes
  } finally {
    await browser.close()
    server.closeAllConnections()
    server.close()
  }
}
