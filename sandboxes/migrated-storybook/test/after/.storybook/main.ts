import type { StorybookConfig } from '@storybook/react-vite'

const config: StorybookConfig = {
  stories: ['../src/**/*.stories.tsx'],
  addons: [
    '@storybook/addon-vitest',
    { name: '@understudy/storybook-addon', options: { onUnhandledRequest: 'error' } },
  ],
  framework: '@storybook/react-vite',
}

export default config
