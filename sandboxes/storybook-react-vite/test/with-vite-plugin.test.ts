/** Tests a Storybook whose app has the Vite plugin in its configuration, which Storybook loads. */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

import { expect, test } from 'vitest'

import { repository } from '../../../test/acceptance/project.ts'
import { serveStorybook } from '../../../test/storybook/serve-storybook.ts'

// The sandbox does not depend on the plugin.
const plugin = pathToFileURL(join(repository, 'packages/vite-plugin/dist/index.js')).href

const storybook = serveStorybook('storybook-react-vite', {
  'vite.config.ts': `import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const { understudy } = await import('${plugin}')

export default defineConfig({ plugins: [understudy(), react()] })
`,
})

test.each([
  ['its own handlers', 'components-boatlist--failed', 'The register is closed.'],
  ["the project's handlers", 'components-boatlist--default', 'Petrel'],
])('on the first visit, %s answer a story, and only the addon mocks the page', async (_name, id, expected) => {
  const { visit, preview } = await storybook.openProfile()
  await preview.open(id)
  await preview.rendered(id)
  expect(await preview.text()).toContain(expected)
  expect(await visit.page.content()).not.toContain('virtual:understudy')
  expect(visit.errors).toEqual([])
})
