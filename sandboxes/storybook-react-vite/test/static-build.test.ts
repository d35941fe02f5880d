/** Tests a static build, and a Storybook in development that composes it. One build is for all, because it takes longer than their tests. */
import { afterAll, beforeAll, describe } from 'vitest'

import { startBackend, type CountingBackend } from '../../../test/acceptance/counting-backend.ts'
import { createHeavyProject, type Project } from '../../../test/acceptance/project.ts'
import { findPort } from '../../../test/acceptance/run-tool.ts'
import { compose, testComposed } from '../../../test/storybook/composed.ts'
import { fastStories, fastStoriesFile, testFastSwitches } from '../../../test/storybook/fast-switches.ts'
import { testGrowth } from '../../../test/storybook/growth.ts'
import { secrets, secretsFile, testOtherOrigins } from '../../../test/storybook/other-origins.ts'
import { serveFolder, type FolderServer } from '../../../test/storybook/serve-folder.ts'
import { addSlowHook, testSlowHooks } from '../../../test/storybook/slow-hooks.ts'
import { testStaticBuild, useStaticBuild } from '../../../test/storybook/static-build.ts'
import { startStorybook, type RunningStorybook } from '../../../test/storybook/storybook-tool.ts'

const sandbox = 'storybook-react-vite'

describe(`a build of ${sandbox}`, () => {
  let backend: CountingBackend
  let port: number
  let server: FolderServer

  const built = useStaticBuild(sandbox, async (project) => {
    backend = await startBackend()
    port = await findPort()
    await project.write(fastStoriesFile, fastStories(backend.origin))
    await project.write(secretsFile, secrets)
    await addSlowHook(project)
    await project.edit(
      '.storybook/main.ts',
      "'@understudy/storybook-addon'",
      `{ name: '@understudy/storybook-addon', options: { quiet: true, composedBy: ['http://localhost:${port}'] } }`,
    )
  })
  beforeAll(async () => {
    server = await serveFolder(built.folder, '/fleet/')
  })
  afterAll(async () => {
    await server?.stop()
    await backend?.close()
  })

  describe('composed by a Storybook in development', () => {
    let host: Project
    let storybook: RunningStorybook
    beforeAll(async () => {
      host = await createHeavyProject(sandbox, { [secretsFile]: secrets })
      await compose(host, server.root)
      storybook = await startStorybook(sandbox, host, {}, port)
    })
    afterAll(async () => {
      await storybook?.stop()
      await host?.dispose()
    })

    testOtherOrigins(() => ({ browser: built.browser, root: `${storybook.origin}/` }))
    testComposed(() => ({ browser: built.browser, origin: storybook.origin, fleet: server.root }))
  })

  testStaticBuild(built)
  testFastSwitches(built, () => backend)
  testGrowth(built)
  testSlowHooks(built)
  testOtherOrigins(() => ({ browser: built.browser, root: server.root }), 'main')
})
