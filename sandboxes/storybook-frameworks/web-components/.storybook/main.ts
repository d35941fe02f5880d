import type { StorybookConfig } from '@storybook/web-components-vite'

const config: StorybookConfig = {
  framework: '@storybook/web-components-vite',
  stories: ['../src/**/*.stories.ts'],
  addons: ['@storybook/addon-docs', '@understudy/storybook-addon'],
}
export default config
