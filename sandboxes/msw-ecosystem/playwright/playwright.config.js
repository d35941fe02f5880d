import { defineConfig } from '@playwright/test'

export default defineConfig({
  testDir: '.',
  outputDir: '../.tmp/playwright',
  reporter: 'line',
  workers: 1,
  use: {
    launchOptions: {
      executablePath: process.env['UNDERSTUDY_CHROMIUM'],
      args: ['--no-sandbox', '--disable-background-networking'],
    },
  },
})
