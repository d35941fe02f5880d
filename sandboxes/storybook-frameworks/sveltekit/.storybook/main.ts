import type { StorybookConfig } from '@storybook/sveltekit'

const config: StorybookConfig = {
  framework: '@storybook/sveltekit',
  stories: ['../src/**/*.stories.ts'],
  addons: ['@storybook/addon-docs', '@understudy/storybook-addon'],
}
export default config
