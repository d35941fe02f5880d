import { storybookTest } from '@storybook/addon-vitest/vitest-plugin'
import { playwright } from '@vitest/browser-playwright'
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
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            provider: playwright({
              launchOptions: { ...(executablePath && { executablePath }), args: ['--no-sandbox', '--disable-quic'] },
            }),
            instances: [{ browser: 'chromium' }],
          },
        },
      },
      {
        // Portable stories, without a browser.
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
