/** Tests a Storybook whose app has the Vite plugin in its configuration, which Storybook loads. */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

import type { Browser } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { launchBrowser, openVisit } from '../../../test/acceptance/browser.ts'
import { createHeavyProject, repository, type Project } from '../../../test/acceptance/project.ts'
import { openPreview } from '../../../test/storybook/preview-page.ts'
import { startStorybook, type RunningStorybook } from '../../../test/storybook/storybook-tool.ts'

// The sandbox does not depend on the plugin.
const plugin = pathToFileURL(join(repository, 'packages/vite-plugin/dist/index.js')).href

let browser: Browser
let project: Project
let storybook: RunningStorybook

beforeAll(async () => {
  browser = await launchBrowser()
  project = await createHeavyProject('storybook-react-vite', {
    'vite.config.ts': `import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const { understudy } = await import('${plugin}')

export default defineConfig({ plugins: [understudy(), react()] })
`,
  })
  storybook = await startStorybook('storybook-react-vite', project)
})
afterAll(async () => {
  await storybook?.stop()
  await browser?.close()
  await project?.dispose()
})

test.each([
  ['its own handlers', 'components-boatlist--failed', 'The register is closed.'],
  ["the project's handlers", 'components-boatlist--default', 'Petrel'],
])('on the first visit, %s answer a story, and only the addon mocks the page', async (_name, id, expected) => {
  const visit = await openVisit(browser)
  const preview = openPreview(visit.page, `${storybook.origin}/`)
  await preview.open(id)
  await preview.rendered(id)
  expect(await preview.text()).toContain(expected)
  expect(await visit.page.content()).not.toContain('virtual:understudy')
  expect(visit.errors).toEqual([])
  await visit.close()
})
