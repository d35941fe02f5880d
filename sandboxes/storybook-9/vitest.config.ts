import { storybookTest } from '@storybook/addon-vitest/vitest-plugin'
import { defineConfig } from 'vitest/config'

const executablePath = process.env['UNDERSTUDY_CHROMIUM']

export default defineConfig({
  test: {
    projects: [
      {
        extends: './vite.config.ts',
        plugins: [storybookTest({ configDir: '.storybook' })],
        test: {
          name: 'stories',
          setupFiles: ['.storybook/vitest.setup.ts'],
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            provider: 'playwright',
            instances: [
              {
                browser: 'chromium',
                launch: { ...(executablePath && { executablePath }), args: ['--no-sandbox', '--disable-quic'] },
              },
            ],
          },
        },
      },
      {
        // Portable stories, without a browser. Vitest 3 gives Node's `Request` and the AbortController of jsdom.
        extends: './vite.config.ts',
        test: {
          name: 'portable',
          environment: 'jsdom',
          include: ['portable/*.portable.tsx'],
          setupFiles: ['portable/set-up.ts'],
        },
      },
    ],
  },
})
