/**
 * Records the panel for the documentation, from the sandbox's Storybook:
 *
 *     npm run test:heavy -- storybook-react-vite && npm run record:storybook
 */
import { join } from 'node:path'

import { launchBrowser } from '../acceptance/browser.ts'
import { createHeavyProject, repository } from '../acceptance/project.ts'
import { startStorybook } from './storybook-tool.ts'

const sandbox = 'storybook-react-vite'
const dark = `import { addons } from 'storybook/manager-api'
import { themes } from 'storybook/theming'

addons.setConfig({ theme: matchMedia('(prefers-color-scheme: dark)').matches ? themes.dark : themes.light })
`

const shots = [
  { name: 'light', path: '/story/components-boatlist--failed', scheme: 'light', width: 1280 },
  { name: 'dark', path: '/story/components-unhandled--fails', scheme: 'dark', width: 1280 },
  { name: 'docs', path: '/docs/components-boatlist--docs', scheme: 'light', width: 1280 },
  { name: 'narrow', path: '/story/components-boatlist--failed', scheme: 'light', width: 420 },
] as const

const project = await createHeavyProject(sandbox, { '.storybook/manager.ts': dark })
// Hides Storybook's onboarding.
await project.edit('.storybook/main.ts', 'stories:', 'features: { sidebarOnboardingChecklist: false },\n  stories:')
const storybook = await startStorybook(sandbox, project)
const browser = await launchBrowser()
for (const { name, path, scheme, width } of shots) {
  const context = await browser.newContext({
    colorScheme: scheme,
    viewport: { width, height: 800 },
    deviceScaleFactor: 1.5,
    reducedMotion: 'reduce',
  })
  const page = await context.newPage()
  await page.goto(`${storybook.origin}/?path=${path}&addonPanel=@understudy/storybook-addon/panel`)
  const preview = page.frameLocator('#storybook-preview-iframe')
  if (name === 'docs') {
    await preview.locator('#story--components-boatlist--failed iframe').contentFrame().getByRole('alert').waitFor()
    await preview.locator('#story--components-boatlist--failed').scrollIntoViewIfNeeded()
  } else {
    await preview
      .getByText(name === 'dark' ? 'made requests that no handler matches' : 'is closed')
      .first()
      .waitFor()
    if (name === 'narrow') await page.getByRole('button', { name: 'Open addon panel' }).click()
    await page.locator('.us-panel').getByText('/api/boats').first().waitFor()
    if (name !== 'dark') await page.locator('.us-panel').getByText('1 hit').first().waitFor()
    if (name === 'dark')
      await page
        .locator('.us-panel')
        .getByRole('tab', { name: /^Unhandled 1/ })
        .click()
  }
  // Move the pointer away.
  await page.mouse.move(0, 0)
  await page.screenshot({ path: join(repository, `docs/images/storybook-panel-${name}.png`) })
  await context.close()
}
await browser.close()
await storybook.stop()
await project.dispose()
