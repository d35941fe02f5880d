import { defineConfig } from '@playwright/test'

const port = Number(process.env['PORT'] ?? 5173)

export default defineConfig({
  testDir: 'tests',
  workers: 1,
  reporter: [['list'], ['json', { outputFile: 'report.json' }]],
  webServer: { command: `npx vite --port ${port} --strictPort`, port, reuseExistingServer: false },
  use: {
    baseURL: `http://localhost:${port}`,
    launchOptions: {
      executablePath: process.env['UNDERSTUDY_CHROMIUM'],
      args: ['--no-sandbox', '--disable-quic'],
    },
  },
})
