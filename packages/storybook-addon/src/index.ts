export {
  understudy,
  understudy as default,
  understudyOf,
  type UnderstudyOptions,
  type UnderstudyTypes,
} from './preview/define-addon.ts'
export type { AddonOptions } from './options.ts'
export type { UnderstudyParameters } from './preview/parameters.ts'
export type { HandlerGroups, HandlersContext, HandlersParameter } from './preview/read-handlers.ts'
export type { RecordedRequest, RequestFilter } from './preview/sent-requests.ts'
export type { Understudy } from './preview/understudy.ts'
