import type { StorybookConfig } from '@storybook/angular'

const config: StorybookConfig = {
  framework: '@storybook/angular',
  stories: ['../src/**/*.stories.ts'],
  addons: ['@storybook/addon-docs', '@understudy/storybook-addon'],
  // Terser takes nearly half of a build. `storybook-react-webpack` tests a minified build of the same builder.
  webpackFinal: (webpack) => ({ ...webpack, optimization: { ...webpack.optimization, minimize: false } }),
}
export default config
