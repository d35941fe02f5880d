import { once } from 'node:events'
import type { AddressInfo } from 'node:net'

import { afterAll, afterEach, beforeEach, expect, onTestFailed } from 'vitest'
import { WebSocketServer } from 'ws'

import type { BuildTool } from './build-tool.ts'
import { serveProject, type ServedProject } from './serve-project.ts'
import type { BrowserDriver, Profile, TestBrowser, TestPage, TestVisit } from './test-browser.ts'
import { createFiles, ofPublic, handlers, type OwnKinds } from './web-worker-sockets-page.ts'

/** A host name that is not a secure origin. */
export const insecureHost = 'app.test'

/** Pages with web workers that open WebSockets, and a real server for those that no handler takes. */
export interface WebWorkerVisits {
  readonly served: ServedProject<TestBrowser>
  /** The origin of the real server. */
  readonly real: string
  /** The connections of the real server, in the current test. */
  readonly seen: readonly string[]
  /** The browser's profile and the pages of the current test. */
  readonly profile: Profile
  readonly visits: TestVisit[]
  open(name?: string, origin?: string): Promise<TestPage>
  /** Creates the page's web worker. */
  start(page: TestPage, kind?: string): Promise<void>
  /** Evaluates an expression in the page's web worker. */
  inWorker(page: TestPage, code: string): Promise<unknown>
  /** Opens a WebSocket in the page's web worker. */
  connect(page: TestPage, url: string, name?: string, protocols?: string): Promise<unknown>
  /** Returns what the web worker's WebSocket has received. */
  events(page: TestPage, name?: string): Promise<unknown>
}

export function serveWebWorkers(tool: BuildTool, driver: BrowserDriver, own: OwnKinds): WebWorkerVisits {
  let real = ''
  let seen: string[] = []
  const server = new WebSocketServer({ port: 0, host: 'localhost' })
  server.on('connection', (connection, { url }) => {
    seen.push(`open ${url}`)
    connection.on('message', (data, isBinary) => connection.send(data, { binary: isBinary }))
    connection.on('close', (code, reason) => seen.push(`close ${url} ${code} ${String(reason)}`))
  })
  afterAll(() => server.close())

  const served = serveProject(tool, {
    launch: () => driver.launch({ endsWorkers: true, hosts: [insecureHost] }),
    files: { ...createFiles(own), ...ofPublic },
    options: { plugin: { expose: true }, hosts: [insecureHost] },
    async prepare(project) {
      if (!server.address()) await once(server, 'listening')
      real = `ws://localhost:${(server.address() as AddressInfo).port}`
      await project.write('src/mocks/handlers.js', handlers('first', real))
    },
  })

  let profile: Profile
  let visits: TestVisit[]
  beforeEach(async () => {
    seen = []
    visits = []
    profile = await served.browser.createProfile()
    onTestFailed(() => console.error(visits.map((visit) => visit.console.join('\n')).join('\n---\n')))
  })
  afterEach(() => profile.close())

  async function open(name = 'one', origin = served.server.origin): Promise<TestPage> {
    const visit = await profile.openPage()
    visits.push(visit)
    await visit.page.goto(`${origin}/?page=${name}`)
    await visit.page.waitForFunction('globalThis.create')
    await expect.poll(() => visit.console.join('\n')).toContain('Mocking is on')
    return visit.page
  }
  const start = async (page: TestPage, kind = 'module'): Promise<void> => {
    await page.evaluate(`(async () => void (window.worker = await create.${kind}()))()`)
  }
  const inWorker = (page: TestPage, code: string): Promise<unknown> =>
    page.evaluate(`run(worker, ${JSON.stringify(`() => ${code}`)})`)
  const events = (page: TestPage, name = 'one'): Promise<unknown> => inWorker(page, `${name}.events`)
  const connect = (page: TestPage, url: string, name = 'one', protocols = ''): Promise<unknown> =>
    inWorker(page, `void (globalThis.${name} = connect('${url}'${protocols && `, ${protocols}`}))`)

  return {
    served,
    get real() {
      return real
    },
    get seen() {
      return seen
    },
    get profile() {
      return profile
    },
    get visits() {
      return visits
    },
    open,
    start,
    inWorker,
    connect,
    events,
  }
}
