export { understudy, understudy as default } from './understudy.ts'
export type { PluginOptions as UnderstudyOptions } from '@understudy/engine/dev'
