export { UnderstudyWebpackPlugin, UnderstudyWebpackPlugin as default } from './understudy-webpack-plugin.ts'
export type { PluginOptions as UnderstudyOptions } from '@understudy/engine/internal/dev'
