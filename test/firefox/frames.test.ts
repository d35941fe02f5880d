/** Frames, pop-ups and workers that have no engine of their own, in Firefox. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'

import type { RunningServer } from '../acceptance/build-tool.ts'
import { startBackend, type CountingBackend } from '../acceptance/counting-backend.ts'
import { frameKinds, printedPages, uncontrolledKinds } from '../acceptance/frames.ts'
import { createProject, type Project } from '../acceptance/project.ts'
import { findFirefox } from '../find-firefox.ts'
import { vite } from '../vite/vite.ts'
import { launchFirefox, type Firefox, type FirefoxTab } from './firefox.ts'

const command = findFirefox()

describe.skipIf(command === undefined)('Firefox', () => {
  let backend: CountingBackend
  let firefox: Firefox
  let project: Project
  let server: RunningServer
  let tab: FirefoxTab

  beforeAll(async () => {
    ;[backend, firefox, project] = await Promise.all([
      startBackend(printedPages),
      launchFirefox(command ?? ''),
      createProject('test/fixtures/documents'),
    ])
    await vite.configure(project, { api: backend.origin })
    server = await vite.start(project)
    tab = await firefox.open(server.origin)
    await tab.evaluate('new Promise((resolve) => setInterval(() => globalThis.isReady && resolve(), 20))')
  })
  afterAll(async () => {
    await Promise.all([firefox.close(), server.stop(), backend.close()])
    await project.dispose()
  })

  afterEach(() => {
    const escaped = [...backend.requests]
    backend.forget()
    expect(escaped).toEqual([])
  })

  test.each(frameKinds.filter((kind) => !uncontrolledKinds.firefox.includes(kind)))(
    '%s: the page that mocks answers a script and an image',
    async (kind) => {
      const answers = await tab.evaluate(`inFrames[${JSON.stringify(kind)}]().then(JSON.stringify)`)
      expect(JSON.parse(answers ?? 'null')).toEqual(['the mock', 7])
    },
  )
})
