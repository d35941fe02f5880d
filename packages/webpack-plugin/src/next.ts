export { withUnderstudy } from './next/with-understudy.ts'
export type { PluginOptions as UnderstudyOptions } from '@understudy/engine/internal/dev'
