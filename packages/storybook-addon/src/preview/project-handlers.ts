import type { PreviewOptions } from '../options.ts'

/** Takes the project's handlers module, at first and after every edit. */
export type TakeHandlers = (module: object, file: string) => Promise<unknown>
/** Is told why the project's handlers module could not be loaded. */
export type FailHandlers = (error: unknown, file: string) => void

/** Options of the addon. In the builders, the preset puts another module in the place of this one. */
export const options: PreviewOptions = {}

/** Loads the project's handlers. Here, where no builder brought any, there are none: a test runs stories by itself. */
export function connect(_take: TakeHandlers, _fail: FailHandlers): Promise<unknown> {
  return Promise.resolve()
}
