/** Tests Storybook for Angular, which Angular's CLI starts: handlers answer their stories, and the panel shows them. */
import { join } from 'node:path'

import type { Browser } from 'playwright'
import { afterAll, beforeAll, describe, expect } from 'vitest'

import { launchBrowser } from '../../../test/acceptance/browser.ts'
import { createHeavyProject, type Project } from '../../../test/acceptance/project.ts'
import { findPort, runTool, type ToolProcess } from '../../../test/acceptance/run-tool.ts'
import { testBoatList } from '../../../test/storybook/boat-list.ts'
import { serveFolder } from '../../../test/storybook/serve-folder.ts'

const cli = join(import.meta.dirname, '../node_modules/@angular/cli/bin/ng.js')
let browser: Browser
let project: Project

beforeAll(async () => {
  ;[browser, project] = await Promise.all([launchBrowser(), createHeavyProject('storybook-angular')])
})
afterAll(async () => {
  await browser?.close()
  await project?.dispose()
})

const run = (target: string, ...args: string[]): ToolProcess =>
  runTool(cli, ['run', `app:${target}`, ...args], {
    folder: project.folder,
    env: { STORYBOOK_DISABLE_TELEMETRY: '1', CI: '1' },
  })

describe.each(['development', 'a build'])('in %s', (kind) => {
  let root: string
  let stop: () => Promise<unknown>

  beforeAll(async () => {
    if (kind === 'development') {
      const port = await findPort()
      const storybook = run('storybook', '--port', String(port))
      stop = () => storybook.stop()
      await storybook.untilSaid(/for manager and .+ for preview|Storybook ready/)
      root = `http://localhost:${port}/`
      return
    }
    const build = run('build-storybook')
    expect(await build.exit, build.output).toBe(0)
    const server = await serveFolder(join(project.folder, 'storybook-static'), '/')
    root = server.root
    stop = () => Promise.resolve(server.stop())
  })
  afterAll(() => stop?.())

  testBoatList({
    browser: () => browser,
    root: () => root,
    savesIn: () => (kind === 'development' ? project : undefined),
    // With the line of the handlers module.
    async panelText() {
      const lines = (await project.read('src/mocks/handlers.ts')).split('\n')
      const line = lines.findIndex((text) => text.includes("http.get('/api/boats'")) + 1
      return new RegExp(`Story[^]*/api/boats[^]*503[^]*1 hit[^]*Project[^]*mocks/handlers\\.ts\\s*:${line}\\b`)
    },
  })
})
