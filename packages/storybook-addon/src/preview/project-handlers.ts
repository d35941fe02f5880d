import type { PreviewOptions } from '../options.ts'

/** Called with the project's handlers module, at the start and after every edit. */
export type TakeHandlers = (module: object, file: string) => Promise<unknown>
/** Called with the reason why the project's handlers module could not be loaded. */
export type FailHandlers = (error: unknown, file: string) => void

/** The options of the addon. In a builder, the preset replaces this module. */
export const options: PreviewOptions = {}

/** Loads the code that finds positions in the sources for messages. The preset sets it if the preview is a bundle in development. */
export const loadLocating: (() => Promise<typeof import('./locate-messages.ts')>) | undefined = undefined

/** Loads the project's handlers. Without a builder there are none, because a portable story runs in a test. */
export function connect(_take: TakeHandlers, _fail: FailHandlers): Promise<unknown> {
  return Promise.resolve()
}
