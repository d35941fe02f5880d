import { defineConfig } from '@rsbuild/core'
import { pluginReact } from '@rsbuild/plugin-react'
import { pluginUnderstudy } from '@understudy/webpack-plugin/rsbuild'

/** The configuration of the app, which Storybook's builder reads, too. In a Storybook, the addon mocks the pages. */
export default defineConfig({ plugins: [pluginReact(), pluginUnderstudy()] })
