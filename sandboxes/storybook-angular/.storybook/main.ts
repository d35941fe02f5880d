import type { StorybookConfig } from '@storybook/angular'

const config: StorybookConfig = {
  framework: '@storybook/angular',
  stories: ['../src/**/*.stories.ts'],
  addons: ['@storybook/addon-docs', '@understudy/storybook-addon'],
}
export default config
