import { getJestConfig } from '@storybook/test-runner'

const config = getJestConfig()
const launchOptions = {
  executablePath: process.env.UNDERSTUDY_CHROMIUM,
  args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
}

export default {
  ...config,
  testEnvironmentOptions: {
    ...config.testEnvironmentOptions,
    'jest-playwright': { ...config.testEnvironmentOptions?.['jest-playwright'], launchOptions },
  },
}
