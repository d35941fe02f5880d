import { describe, expect, test } from 'vitest'

import { migrateFiles } from './testing/migrate-files.ts'

const main = `export default {\n  addons: ['msw-storybook-addon'],\n}\n`
const handlers = `import { http } from 'msw'\nexport const handlers = [http.get('/', () => undefined)]\n`

/** Migrates a preview of CSF Next. */
async function migratePreview(preview: string): Promise<{ text: string | undefined; output: string }> {
  const { files, output } = await migrateFiles({
    'vite.config.ts': 'export default {}\n',
    'public/mockServiceWorker.js': '',
    '.storybook/main.ts': main,
    '.storybook/preview.ts': preview,
    'src/mocks/handlers.ts': handlers,
  })
  return { text: files['.storybook/preview.ts'], output }
}

describe('CSF Next', () => {
  test('the preview gets the addon, because Storybook does not load its annotations there', async () => {
    const { text } = await migratePreview(`import { definePreview } from '@storybook/react-vite'
import addonDocs from '@storybook/addon-docs'
import { initialize, mswLoader } from 'msw-storybook-addon'

initialize()

export default definePreview({
  addons: [addonDocs()],
  loaders: [mswLoader],
})
`)
    expect(text).toBe(`import { definePreview } from '@storybook/react-vite'
import addonDocs from '@storybook/addon-docs'
import understudy from '@understudy/storybook-addon'

export default definePreview({
  addons: [addonDocs(), understudy()],
})
`)
  })

  test('a preview without addons gets a list', async () => {
    const { text } = await migratePreview(`import { definePreview } from '@storybook/react-vite'
import { mswLoader } from 'msw-storybook-addon'

const preview = definePreview({
  loaders: [mswLoader],
  tags: ['autodocs'],
})
export default preview
`)
    expect(text).toContain(`definePreview({
  addons: [understudy()],
  tags: ['autodocs'],
})`)
  })

  test('addonMsw() becomes the addon, and its worker goes', async () => {
    const { text, output } = await migratePreview(`import { definePreview } from '@storybook/react-vite'
import addonMsw from 'msw-storybook-addon'
import { setupWorker } from 'msw/browser'
import { handlers } from '../src/mocks/handlers'

export default definePreview({
  addons: [addonMsw(() => setupWorker(...handlers))],
})
`)
    expect(text).toBe(`import { definePreview } from '@storybook/react-vite'
import understudy from '@understudy/storybook-addon'

export default definePreview({
  addons: [understudy()],
})
`)
    expect(output).not.toContain('addonMsw')
    // The worker belonged to Storybook. The app has none.
    expect(output).not.toContain('understudy-worker.js')
    expect(output).not.toContain('vite.config.ts')
  })

  test('other arguments of addonMsw() get a note', async () => {
    const { text, output } = await migratePreview(`import { definePreview } from '@storybook/react-vite'
import addonMsw from 'msw-storybook-addon'
import { worker } from '../src/mocks/browser'

export default definePreview({ addons: [addonMsw(async () => { await worker.start(); return worker })] })
`)
    expect(text).toContain('definePreview({ addons: [understudy()] })')
    expect(output).toContain('addonMsw() had a worker. Export its handlers from src/mocks/handlers.')
  })

  test('the worker of the guide of MSW goes, and the addon gets its options', async () => {
    const { files, output } = await migrateFiles({
      '.storybook/main.ts': main,
      '.storybook/preview.ts': `import { definePreview } from '@storybook/react-vite'
import addonMsw from 'msw-storybook-addon'
import { setupWorker } from 'msw/browser'
import { handlers } from '../src/mocks/handlers'

export default definePreview({
  addons: [
    addonMsw(async () => {
      const worker = setupWorker(...handlers)
      await worker.start({ onUnhandledRequest: 'bypass' })
      return worker
    }),
  ],
})
`,
      'src/mocks/handlers.ts': handlers,
    })
    expect(files['.storybook/preview.ts']).toBe(`import { definePreview } from '@storybook/react-vite'
import understudy from '@understudy/storybook-addon'

export default definePreview({
  addons: [
    understudy(),
  ],
})
`)
    expect(files['.storybook/main.ts']).toContain(`options: { onUnhandledRequest: 'bypass' }`)
    expect(output).not.toContain('had a worker')
  })
})

describe('a setup file of portable stories', () => {
  const migrateSetUp = async (path: string, given: string): Promise<{ text: string | undefined; output: string }> => {
    const { files, output } = await migrateFiles({
      '.storybook/main.ts': main,
      [path]: `import { setProjectAnnotations } from '@storybook/react-vite'
import * as preview from './preview'

const project = setProjectAnnotations(${given})
`,
    })
    return { text: files[path], output }
  }

  test.each([
    ['[preview]', '[addon, preview]'],
    ['preview', '[addon, preview]'],
    ['[]', '[addon]'],
  ])('gets the addon, because stories are not mocked without it: %s', async (given, expected) => {
    const { text, output } = await migrateSetUp('.storybook/vitest.setup.ts', given)
    expect(text).toContain(`import * as addon from '@understudy/storybook-addon/preview'`)
    expect(text).toContain(`setProjectAnnotations(${expected})`)
    expect(output).not.toContain('.storybook/vitest.setup.ts:')
  })

  test('outside of Storybook, a note says how to pass the handlers of the project', async () => {
    const { text, output } = await migrateSetUp('vitest.setup.ts', '[preview]')
    expect(text).toContain('setProjectAnnotations([addon, preview])')
    expect(output).toContain('To use the handlers of the project here, replace "addon" with understudy({ handlers })')
  })
})
