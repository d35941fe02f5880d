import { expect, test } from 'vitest'

import { openVisit } from '../acceptance/browser.ts'
import type { Project } from '../acceptance/project.ts'
import { openPreview } from './preview-page.ts'
import { serveFolder } from './serve-folder.ts'
import type { BuiltStorybook } from './static-build.ts'

const storyId = 'components-boatlist--long'

/** Adds an `afterEach` hook that runs after the addon's and takes long, as the accessibility addon's does. */
export async function addSlowHook(project: Project): Promise<void> {
  await project.write(
    '.storybook/slow-hook.ts',
    `export const afterEach = ({ id }: { id: string }) => id === '${storyId}' && new Promise((end) => setTimeout(end, 200))\n`,
  )
  await project.edit(
    '.storybook/main.ts',
    'addons: [',
    `previewAnnotations: (others: string[] = []) => [new URL('./slow-hook.ts', import.meta.url).pathname, ...others],\n  addons: [`,
  )
}

/** @param built with {@link addSlowHook} */
export function testSlowHooks(built: BuiltStorybook): void {
  test('the toolbar changes the network of a story without a reload, although hooks of other addons take long', async () => {
    const server = await serveFolder(built.folder, '/')
    const visit = await openVisit(built.browser)
    const preview = openPreview(visit.page, server.root)
    await preview.open(storyId)
    await expect.poll(() => preview.text()).toContain('Boat 60')
    await preview.rendered(storyId)
    await preview.mark()
    await preview.emit('updateGlobals', { globals: { understudyNetwork: 'errors' } })
    await expect.poll(() => preview.text()).toContain('could not be loaded')
    expect(await preview.isMarked()).toBe(true)
    await visit.close()
    await server.stop()
  })
}
