import type { StorybookConfig } from '@storybook/react-webpack5'

const config: StorybookConfig = {
  framework: '@storybook/react-webpack5',
  stories: ['../src/**/*.mdx', '../src/**/*.stories.tsx'],
  addons: ['@storybook/addon-docs', '@storybook/addon-webpack5-compiler-swc', '@understudy/storybook-addon'],
  // The app is a link to the Vite sandbox's. Resolve its React to the one of this sandbox.
  webpackFinal: (webpack) => ({ ...webpack, resolve: { ...webpack.resolve, symlinks: false } }),
}
export default config
