export { understudy, understudy as default } from './understudy.ts'
export type { TestOptions, UnderstudyOptions } from './options.ts'
