import type { StorybookConfig } from '@storybook/nextjs'

const config: StorybookConfig = {
  framework: '@storybook/nextjs',
  stories: ['../src/**/*.stories.tsx'],
  addons: ['@understudy/storybook-addon'],
}
export default config
