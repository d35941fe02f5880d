export { pluginUnderstudy } from './rsbuild/plugin-understudy.ts'
export type { RsbuildApi, RsbuildPlugin } from './rsbuild/rsbuild-api.ts'
export type { PluginOptions as UnderstudyOptions } from '@understudy/engine/internal/dev'
