import { describe, expect, test } from 'vitest'

import { migrateFiles } from './testing/migrate-files.ts'

describe('Storybook', () => {
  const preview = `import type { Preview } from '@storybook/react-vite'
import { initialize, mswLoader } from 'msw-storybook-addon'

// Starts MSW.
initialize({ onUnhandledRequest: 'bypass' })

const preview: Preview = {
  parameters: { layout: 'centered' },
  loaders: [mswLoader],
}

export default preview
`
  const main = `export default {
  stories: ['../src/**/*.stories.tsx'],
  addons: ['@storybook/addon-docs', 'msw-storybook-addon'],
  staticDirs: ['../public'],
}
`
  test('the addon replaces the older one, with its options', async () => {
    const { files, output } = await migrateFiles({
      'package.json': `{\n  "devDependencies": {\n    "msw": "2",\n    "msw-storybook-addon": "2"\n  }\n}\n`,
      '.storybook/main.ts': main,
      '.storybook/preview.ts': preview,
      'public/mockServiceWorker.js': '',
      'src/a.stories.tsx': `import { http } from 'msw'\nexport const A = { parameters: { msw: [http.get('/a', () => undefined)] } }\n`,
    })
    expect(files['.storybook/main.ts'], output).toBe(`export default {
  stories: ['../src/**/*.stories.tsx'],
  addons: ['@storybook/addon-docs', { name: '@understudy/storybook-addon', options: { onUnhandledRequest: 'bypass' } }],
}
`)
    expect(files['.storybook/preview.ts']).toBe(`import type { Preview } from '@storybook/react-vite'

const preview: Preview = {
  parameters: { layout: 'centered' },
}

export default preview
`)
    expect(files['src/a.stories.tsx']).toContain("from '@understudy/engine'")
    expect(JSON.parse(files['package.json'] ?? '')).toEqual({
      devDependencies: { '@understudy/engine': '^0.1.0', '@understudy/storybook-addon': '^0.1.0' },
    })
  })

  test('a folder with other files stays in staticDirs, and other loaders stay', async () => {
    const { files } = await migrateFiles({
      '.storybook/main.js': main,
      '.storybook/preview.js': `import { mswLoader, initialize } from "msw-storybook-addon";\ninitialize();\nexport const loaders = [first, mswLoader];\n`,
      'public/mockServiceWorker.js': '',
      'public/logo.svg': '',
    })
    expect(files['.storybook/main.js']).toContain("staticDirs: ['../public']")
    expect(files['.storybook/main.js']).toContain("addons: ['@storybook/addon-docs', '@understudy/storybook-addon']")
    expect(files['.storybook/preview.js']).toBe('export const loaders = [first];\n')
  })

  test('folders that Git ignores or that a package contains stay in staticDirs', async () => {
    const folders = "'../public', '../generated', '../node_modules/fonts', '../dist'"
    const { files } = await migrateFiles({
      '.storybook/main.js': main.replace("'../public'", folders),
      'public/mockServiceWorker.js': '',
      'node_modules/fonts/a.woff': '',
      'dist/a.js': '',
    })
    expect(files['.storybook/main.js']).toContain("staticDirs: ['../generated', '../node_modules/fonts', '../dist']")
  })

  test('other forms get a note', async () => {
    const { output } = await migrateFiles({
      '.storybook/main.ts': main,
      'src/a.stories.ts': `import { getWorker } from 'msw-storybook-addon'\ngetWorker().use()\n`,
    })
    expect(output).toContain('src/a.stories.ts:2\n    "getWorker" does not exist in Understudy.')
  })
})
