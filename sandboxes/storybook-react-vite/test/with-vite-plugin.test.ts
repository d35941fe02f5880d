/** Tests a Storybook whose app has the Vite plugin in its configuration, which Storybook loads, on first visits without a cache. */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

import { expect, test } from 'vitest'

import { createHeavyProject, repository } from '../../../test/acceptance/project.ts'
import { readBuild } from '../../../test/acceptance/read-build.ts'
import { sharingPackages } from '../../../test/acceptance/sharing-packages.ts'
import { serveStorybook } from '../../../test/storybook/serve-storybook.ts'
import { buildStorybook } from '../../../test/storybook/storybook-tool.ts'

// The sandbox does not depend on the plugin.
const plugin = pathToFileURL(join(repository, 'packages/vite-plugin/dist/index.js')).href

const withPlugin = {
  'vite.config.ts': `import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const { understudy } = await import('${plugin}')

export default defineConfig({ plugins: [understudy(), react()] })
`,
}

const packageStory = `import { useEffect, useState } from 'react'
import text from 'of-the-app'

function Packages() {
  const [answer, setAnswer] = useState('')
  useEffect(() => void fetch('/api/packages').then((response) => response.text()).then(setAnswer), [])
  return <p>{text}: {answer}</p>
}

export default { component: Packages }
export const Default = {}
`

const storybook = serveStorybook(
  'storybook-react-vite',
  {
    ...withPlugin,
    ...sharingPackages,
    '.storybook/preview-head.html': '<script>sessionStorage.loads = Number(sessionStorage.loads ?? 0) + 1</script>',
    'src/components/Packages.stories.tsx': packageStory,
  },
  async (project) => {
    const handlers = await project.read('src/mocks/handlers.ts')
    const handler = `handlers.push(http.get('/api/packages', () => HttpResponse.text(text)))`
    await project.write('src/mocks/handlers.ts', `import text from 'of-the-handlers'\n${handlers}\n${handler}\n`)
  },
)

test('a package that only the handlers import does not reload the first page, which opens after Vite has bundled packages', async () => {
  const listFiles = (): Promise<string[]> =>
    readdir(join(storybook.project.folder, 'node_modules'), { recursive: true })
  await expect.poll(listFiles, { timeout: 60_000 }).toContainEqual(expect.stringMatching(/deps\/of-the-app\.js$/))
  const { visit, preview } = await storybook.openProfile()
  await preview.open('components-packages--default')
  await expect.poll(() => preview.text()).toContain('shared: the mock, shared')
  expect(await visit.page.evaluate('sessionStorage.loads')).toBe('1')
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

test.each([
  ['without the addon, nothing of Understudy', '', false],
  ['with the addon, its panel', "'@understudy/storybook-addon'", true],
])('a static build contains, %s', async (_name, addon, isContained) => {
  const project = await createHeavyProject('storybook-react-vite', {
    ...withPlugin,
    '.storybook/main.ts': `export default { framework: '@storybook/react-vite', stories: ['../plain/*.stories.tsx'], addons: [${addon}] }\n`,
    '.storybook/preview.ts': 'export default {}\n',
    'plain/Text.stories.tsx': `export default { title: 'Text', component: () => 'A plain story' }\nexport const Text = {}\n`,
  })
  try {
    const { code, output } = await buildStorybook('storybook-react-vite', project)
    expect(code, output).toBe(0)
    // Storybook's `project.json` lists the packages of the project.
    const text = (await readBuild(project, 'storybook-static')).replaceAll(
      /"@understudy\/storybook-addon":\{"version"/g,
      '',
    )
    expect(text).toContain('A plain story')
    expect(/us-panel|understudy-worker|Symbol\.for\("understudy|@understudy\//.test(text)).toBe(isContained)
  } finally {
    await project.dispose()
  }
})
