import type { StorybookConfig } from '@storybook/react-webpack5'

const config: StorybookConfig = {
  framework: '@storybook/react-webpack5',
  stories: ['../src/**/*.mdx', '../src/**/*.stories.tsx'],
  addons: ['@storybook/addon-docs', '@storybook/addon-webpack5-compiler-swc', '@understudy/storybook-addon'],
  // The app is the one of the Vite sandbox, by a link: its React is to be this one.
  webpackFinal: (webpack) => ({ ...webpack, resolve: { ...webpack.resolve, symlinks: false } }),
}
export default config
