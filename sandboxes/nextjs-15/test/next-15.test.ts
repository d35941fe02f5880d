/** Tests `withUnderstudy` with Next.js 15, in Chromium, with a backend that counts its requests. None may reach it. */
import { rm } from 'node:fs/promises'
import { join } from 'node:path'

import type { Browser } from 'playwright'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'

import { launchBrowser, openVisit, type Visit } from '../../../test/acceptance/browser.ts'
import { startBackend, type CountingBackend } from '../../../test/acceptance/counting-backend.ts'
import { createHeavyProject, savingUntil, type Project } from '../../../test/acceptance/project.ts'
import { findPort, runTool, type ToolProcess } from '../../../test/acceptance/run-tool.ts'

const cli = join(import.meta.dirname, '../node_modules/next/dist/bin/next')
const handlersFile = 'src/mocks/handlers.ts'

let backend: CountingBackend
let project: Project

beforeAll(async () => {
  ;[backend, project] = await Promise.all([startBackend(), createHeavyProject('nextjs-15')])
  // Turbopack takes the folder of the nearest lockfile for the root: that has `node_modules`.
  await rm(join(project.folder, 'package-lock.json'))
})
afterAll(async () => {
  await backend.close()
  await project.dispose()
})

const run = (args: readonly string[]): ToolProcess =>
  runTool(cli, args, {
    folder: project.folder,
    env: { NEXT_TELEMETRY_DISABLED: '1', API_ORIGIN: backend.origin },
  })

const bundlers = [
  ['webpack', []],
  ['Turbopack', ['--turbopack']],
] as const

describe.for(bundlers)('Next.js 15 with %s', ([_name, args]) => {
  let browser: Browser
  let server: ToolProcess
  let origin: string
  let visit: Visit

  beforeAll(async () => {
    const port = await findPort()
    origin = `http://localhost:${port}`
    server = run(['dev', '--port', String(port), ...args])
    browser = await launchBrowser()
    await server.untilSaid(/Ready in/)
  })
  afterAll(async () => {
    await Promise.all([server.stop(), browser.close()])
  })
  afterEach(async () => {
    await visit.close()
    expect(backend.requests).toEqual([])
  })

  async function open(path: string): Promise<void> {
    visit = await openVisit(browser)
    await visit.page.goto(origin + path, { timeout: 90_000 })
  }
  const seats = (): Promise<string> =>
    visit.page.evaluate(async (url) => (await fetch(`${url}/api/seats`)).text(), backend.origin)

  test.each(['/', '/older'])('the page %s is mocked in the server and in the browser', async (path) => {
    await open(path)
    await visit.page.getByRole('heading', { name: 'A mocked title' }).waitFor()
    await visit.page.getByText('42 seats left').waitFor()
    expect(visit.errors).toEqual([])
  })

  test('an edit of the handlers applies to the next request, on the same page', async () => {
    await open('/')
    await visit.page.getByText('42 seats left').waitFor()
    await visit.page.evaluate(() => Object.assign(globalThis, { isKept: true }))
    const original = await project.read(handlersFile)
    await savingUntil(project, handlersFile, original.replace('42', '8'), seats).toBe('{"left":8}')
    await savingUntil(project, handlersFile, `${original}\nnowhere()\n`, () =>
      Promise.resolve(visit.console.join('\n')),
    ).toContain('the previous handlers keep answering')
    expect(await seats()).toBe('{"left":8}')
    await savingUntil(project, handlersFile, original, seats).toBe('{"left":42}')
    expect(await visit.page.evaluate(() => 'isKept' in globalThis)).toBe(true)
  })

  test('the terminal does not say that an option is unknown', () => {
    expect(server.output).not.toMatch(/invalid|unrecognized/i)
  })
})

// With webpack, the same plugin fails the builds of Next 16.
test('with Turbopack, a build that imports the handlers fails, and names them', async () => {
  const file = 'src/seats.tsx'
  const original = await project.read(file)
  const leaking = original.replace('import {', "import { handlers } from './mocks/handlers'\nimport {")
  await project.write(file, `${leaking}\nconsole.log(handlers)\n`)
  const build = run(['build', '--turbopack'])
  expect(await build.exit).toBe(1)
  const named = [
    ...build.output.matchAll(/Failed to leave mocks out of the build: (?:.* imports|it contains) (\S+)\. /g),
  ]
  // No other file is taken for a mock.
  expect(new Set(named.map(([, path]) => path))).toEqual(new Set([handlersFile]))
  await project.write(file, original)
})
