import type { StorybookConfig } from '@storybook/vue3-vite'

const config: StorybookConfig = {
  framework: '@storybook/vue3-vite',
  stories: ['../src/*.stories.ts'],
  addons: ['@storybook/addon-docs', '@understudy/storybook-addon'],
}
export default config
