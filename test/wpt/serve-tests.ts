import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'

import { bundleClassicScript, classicScripts } from '../../packages/engine/build.ts'
import { resultsFolder } from './bring-tests.ts'

/** A page of tests. */
export interface TestPage {
  /** The path from the root: `'/fetch/api/abort/general.any.worker.html'`. */
  readonly url: string
  /** Whether it needs an origin with a certificate. */
  readonly isSecure: boolean
  /** Whether it may take a minute instead of ten seconds. */
  readonly isLong: boolean
}

export interface TestServer {
  readonly pages: readonly TestPage[]
  /** `'http://web-platform.test:41234'` and the one with a certificate. */
  readonly origins: { readonly plain: string; readonly secure: string }
  close(): void
}

/** The groups of tests that run. Other groups of `fetch` test documents, caches and headers that only browsers set. */
const groups =
  /^\/(fetch\/(api|content-encoding|content-length|content-type|data-urls|h1-parsing|nosniff|range|redirects|security)|xhr|eventsource|websockets)\//

/**
 * Tests that cannot run: requests of another service worker never reach ours, and this server and Playwright do not
 * support `testdriver` and HTTP/2.
 */
const left = /serviceworker|wpt_flags=h2|\.h2\./

/** Pages whose results are not the same in each run without handlers on a busy machine: most of them time out. */
const unstable =
  /content-type\/response\.window|range\/sw\.https|keepalive|redirect-to-url-with-credentials|data-url-shared-worker/

/** Passes the results of the harness to the runner. The tests load this file for that purpose. */
const report = `const startUrl = location.href
add_completion_callback((tests, { status, message }) => {
  if (window.opener || window !== window.top || !window.reportResults) return
  const results = tests.map((test) => [test.name, test.format_status(), test.message])
  window.reportResults(startUrl, JSON.stringify({ status: ['OK', 'ERROR', 'TIMEOUT', 'PRECONDITION_FAILED'][status], message, results }))
})
setup({ output: false })
`

const plainWorker = `onactivate = (event) => event.waitUntil(clients.claim())
onfetch = (event) => {
  if (event.request.mode !== 'navigate') event.respondWith(fetch(event.request))
}
`

/**
 * Serves the tests by their own server, `wptserve`, which needs Python 3.
 *
 * @param folder the folder of the tests, in which a few files are written
 */
export async function serveTests(folder: string): Promise<TestServer> {
  const [plain, otherPlain, secure, otherSecure, socket, secureSocket, http2] = await findPorts(7)
  const configuration = join(resultsFolder, 'server.json')
  await Promise.all([
    writeFile(join(folder, 'resources/testharnessreport.js'), report),
    writeFile(join(folder, 'understudy-worker.js'), await bundleClassicScript(classicScripts['worker.js'])),
    writeFile(join(folder, 'plain-worker.js'), plainWorker),
    writeFile(
      configuration,
      JSON.stringify({
        check_subdomains: false,
        server_host: '127.0.0.1',
        ports: {
          http: [plain, otherPlain],
          https: [secure, otherSecure],
          ws: [socket],
          wss: [secureSocket],
          h2: [http2],
        },
        logging: { level: 'error' },
      }),
    ),
  ])
  const child = spawn('python3', [join(import.meta.dirname, 'serve.py'), folder, configuration], {
    stdio: ['ignore', 'ignore', 'ignore'],
    // Start a new process group, because the server starts a process for each port.
    detached: true,
  })
  const close = (): void => {
    process.off('exit', close)
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid)
  }
  process.once('exit', close)
  const failed = Promise.race([once(child, 'error'), once(child, 'exit')]).then(([reason]) => {
    throw new Error(`Failed to serve the Web Platform Tests: python3 said ${String(reason)}. Install Python 3.11.`)
  })
  await Promise.race([waitForAnswer(`http://127.0.0.1:${plain}/common/blank.html`), failed])
  failed.catch(() => {})
  return {
    pages: await listPages(folder),
    origins: { plain: `http://web-platform.test:${plain}`, secure: `https://web-platform.test:${secure}` },
    close,
  }
}

/** An item of the manifest: a folder, or a file's hash and its pages. */
type ManifestItem = { readonly [name: string]: ManifestItem } | readonly [string, ...[string | null, PageOptions][]]

interface PageOptions {
  readonly timeout?: 'long'
  readonly testdriver?: boolean
}

async function listPages(folder: string): Promise<TestPage[]> {
  const manifest = JSON.parse(await readFile(join(folder, 'MANIFEST.json'), 'utf8')) as {
    items: { testharness: ManifestItem }
  }
  const pages: TestPage[] = []
  const visit = (item: ManifestItem, path: string): void => {
    if (!Array.isArray(item)) {
      for (const [name, each] of Object.entries(item)) visit(each as ManifestItem, `${path}/${name}`)
      return
    }
    for (const [address, options] of item.slice(1) as [string | null, PageOptions][]) {
      const url = address === null ? path : `/${address}`
      if (!groups.test(url) || left.test(url) || unstable.test(url) || options.testdriver) continue
      pages.push({
        url,
        isSecure: /\.https\.|[?&](wss|wpt_flags=https)\b/.test(url),
        isLong: options.timeout === 'long',
      })
    }
  }
  visit(manifest.items.testharness, '')
  return pages
}

async function findPorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'))
  await Promise.all(servers.map((server) => once(server, 'listening')))
  const ports = servers.map((server) => (server.address() as AddressInfo).port)
  await Promise.all(servers.map((server) => once(server.close(), 'close')))
  return ports
}

async function waitForAnswer(url: string): Promise<void> {
  for (let attempt = 0; attempt < 300; attempt++) {
    if (
      await fetch(url).then(
        (response) => response.ok,
        () => false,
      )
    )
      return
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  throw new Error(
    `Failed to serve the Web Platform Tests: ${url} did not answer within a minute. Look at test/wpt/serve.py.`,
  )
}
