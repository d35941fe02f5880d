/** Tests the panel in a manager whose theme says nothing about the color of text. */
import axe from 'axe-core'
import { expect, test } from 'vitest'

import { serveStorybook } from '../../../test/storybook/serve-storybook.ts'

const served = serveStorybook('storybook-react-vite', {
  '.storybook/manager.ts': `import { addons } from 'storybook/manager-api'
import { create } from 'storybook/theming/create'

addons.setConfig({ theme: create({ base: 'dark', textColor: 'inherit' }) })
`,
})

test.for(['light', 'dark'] as const)('the panel can be read with a %s system', async (colorScheme) => {
  const { visit } = await served.openProfile()
  const { page } = visit
  await page.emulateMedia({ colorScheme })
  await page.goto(`${served.root}?path=/story/components-unhandled--fails&addonPanel=@understudy/storybook-addon/panel`)
  const panel = page.locator('.us-panel')
  const tab = (name: string) => panel.getByRole('tab', { name: new RegExp(`^${name}`) })
  await tab('Unhandled 1').waitFor()
  await page.evaluate(axe.source)
  for (const name of ['Handlers', 'Requests', 'Unhandled']) {
    await tab(name).click()
    const found = await page.evaluate(async () => {
      const { axe: engine } = globalThis as unknown as { axe: typeof axe }
      const { violations } = await engine.run('.us-panel')
      return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
    })
    expect(found, name).toEqual([])
  }
})
