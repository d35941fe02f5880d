/** The promises of the first line and of hot handlers, on the browser whose engine is another. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'

import type { BuildTool, RunningServer } from '../acceptance/build-tool.ts'
import { startBackend, type CountingBackend } from '../acceptance/counting-backend.ts'
import { allMocked } from '../acceptance/first-line.ts'
import { createProject, savingUntil, type Project } from '../acceptance/project.ts'
import { findFirefox } from '../find-firefox.ts'
import { vite } from '../vite/vite.ts'
import { webpack } from '../webpack/tools.ts'
import { launchFirefox, type Firefox } from './firefox.ts'

const command = findFirefox()

describe.skipIf(command === undefined)('Firefox', () => {
  let backend: CountingBackend
  let firefox: Firefox
  beforeAll(async () => {
    ;[backend, firefox] = await Promise.all([startBackend(), launchFirefox(command ?? '')])
  })
  afterAll(() => Promise.all([firefox.close(), backend.close()]))

  afterEach(() => {
    const escaped = [...backend.requests]
    backend.forget()
    expect(escaped).toEqual([])
  })

  describe.each([vite, webpack])('with $name', (tool: BuildTool) => {
    const endings: (() => Promise<unknown>)[] = []
    afterEach(async () => {
      for (const end of endings.splice(0).toReversed()) await end()
    })

    async function start(fixture: string): Promise<{ project: Project; server: RunningServer }> {
      const project = await createProject(fixture)
      endings.push(() => project.dispose())
      await tool.configure(project, { api: backend.origin })
      const server = await tool.start(project)
      endings.push(() => server.stop())
      return { project, server }
    }

    test('a cold visit, and a warm one: whatever the page requests, and however early, is mocked', async () => {
      const { server } = await start('test/fixtures/first-line')
      for (const visit of ['cold', 'warm']) {
        const tab = await firefox.open(server.origin)
        const read = async (): Promise<unknown> =>
          JSON.parse((await tab.evaluate('JSON.stringify(globalThis.answers ?? {})')) ?? '{}')
        await expect.poll(read, { message: visit }).toEqual(allMocked)
        expect(await tab.evaluate('String(navigator.serviceWorker.controller !== null)')).toBe('true')
      }
    })

    test('edited handlers apply to the next request, and the page stays', async () => {
      const { project, server } = await start('test/fixtures/hot')
      const tab = await firefox.open(server.origin)
      const ask = (): Promise<string | undefined> => tab.evaluate("globalThis.ask?.('/api/handlers')")
      await expect.poll(ask).toBe('handlers 0')
      await tab.evaluate("globalThis.marker = 'this page'")
      const file = 'src/mocks/handlers.js'
      const original = await project.read(file)
      await savingUntil(project, file, original.replace('handlers 0', 'handlers 1'), ask).toBe('handlers 1')
      expect(await tab.evaluate('globalThis.marker')).toBe('this page')
    })
  })
})
