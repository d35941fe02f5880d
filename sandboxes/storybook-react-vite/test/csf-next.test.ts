/** Tests stories of factories: the preview lists the addon, which has types. */
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { repository } from '../../../test/acceptance/project.ts'
import { runTool } from '../../../test/acceptance/run-tool.ts'
import { serveStorybook } from '../../../test/storybook/serve-storybook.ts'

const preview = `import addonDocs from '@storybook/addon-docs'
import { definePreview } from '@storybook/react-vite'
import { http, HttpResponse } from '@understudy/engine'
import understudy from '@understudy/storybook-addon'

export default definePreview({
  addons: [addonDocs(), understudy()],
  parameters: { handlers: { weather: http.get('/api/weather', () => HttpResponse.json({ wind: 7 })) } },
})
`

const stories = `import { http, HttpResponse } from '@understudy/engine'
import { understudyOf } from '@understudy/storybook-addon'
import { expect, waitFor } from 'storybook/test'

import preview from '../../.storybook/preview.ts'
import { BoatList } from './BoatList.tsx'

const meta = preview.meta({
  title: 'Next',
  component: BoatList,
  parameters: { handlers: { boats: http.get('/api/boats', () => HttpResponse.json({ message: 'Of the component' }, { status: 500 })) } },
})

export const OfComponent = meta.story()

export const OfStory = meta.story({
  parameters: { handlers: { boats: [http.get('/api/boats', () => HttpResponse.json({ message: 'Of the story' }, { status: 500 }))] } },
  play: async ({ understudy, canvas }) => {
    await waitFor(() => expect(canvas.getByRole('alert')).toBeVisible())
    const [request] = await understudy.requests('GET /api/boats')
    const status: number | null | undefined = request?.status
    await expect(status).toBe(500)
    await expect((await fetch('/api/weather')).status).toBe(200)
    console.info('played', understudy.listHandlers().length)
  },
})

export const OfProject = OfStory.extend({ parameters: { handlers: { boats: null } }, play: async () => {} })

export const WrongHandlers = meta.story({
  // @ts-expect-error a number is not a handler
  parameters: { handlers: [5] },
  tags: ['!dev'],
})

export const WrongUse = meta.story({
  play: async (context) => {
    // @ts-expect-error text is not a handler
    understudyOf(context).use('nothing')
  },
  tags: ['!dev'],
})
`

const storybook = serveStorybook('storybook-react-vite', {
  '.storybook/preview.ts': preview,
  'src/components/Next.stories.tsx': stories,
})

test('stories of factories are answered by their groups, those of their component and of the preview', async () => {
  const { visit, preview: page } = await storybook.openProfile()
  await page.open('next--of-component')
  await expect.poll(() => page.text()).toContain('Of the component')
  await page.rendered('next--of-component')
  await page.select('next--of-story')
  await expect.poll(() => page.text()).toContain('Of the story')
  await expect.poll(() => visit.console.join('\n')).toContain('played 6')
  await page.rendered('next--of-story')
  await page.select('next--of-project')
  await expect.poll(() => page.text()).toContain('Petrel')
  await page.rendered('next--of-project')
  // Files in CSF 3 still work next to them.
  await page.select('components-boatlist--failed')
  await expect.poll(() => page.text()).toContain('The register is closed.')
  expect(visit.errors).toEqual([])
})

test('parameters and context are typed', async () => {
  const compiler = join(repository, 'node_modules/typescript/bin/tsc')
  const tsconfig = JSON.stringify({
    extends: '../../tsconfig.json',
    include: ['src/components/Next.stories.tsx', '.storybook/preview.ts'],
  })
  const { project } = storybook
  await project.write('tsconfig.next.json', tsconfig)
  const tool = runTool(compiler, ['--noEmit', '-p', 'tsconfig.next.json'], { folder: project.folder })
  expect([await tool.exit, tool.output]).toEqual([0, ''])
})
