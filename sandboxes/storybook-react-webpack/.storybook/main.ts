import type { StorybookConfig } from '@storybook/react-webpack5'

const config: StorybookConfig = {
  framework: '@storybook/react-webpack5',
  stories: ['../src/**/*.mdx', '../src/**/*.stories.tsx'],
  addons: ['@storybook/addon-docs', '@storybook/addon-webpack5-compiler-swc', '@understudy/storybook-addon'],
  // The app is a link to that of the Vite sandbox. Resolve React to this sandbox's version.
  webpackFinal: (webpack) => ({ ...webpack, resolve: { ...webpack.resolve, symlinks: false } }),
}
export default config
