import { failure, type HandlersExport } from '@understudy/engine/internal/page'
import type { Scenarios } from '@understudy/engine/scenarios'
import { definePreviewAddon, type PreviewAddon } from 'storybook/internal/csf'

import { afterEach, argTypesEnhancers, beforeAll, beforeEach, initialGlobals, loaders } from './annotations.ts'
import { setProjectHandlers } from './page-mocking.ts'
import type { UnderstudyParameters } from './parameters.ts'
import type { Understudy } from './understudy.ts'

/** The types that the addon adds to stories: their parameters, and `context.understudy`. */
export interface UnderstudyTypes {
  parameters: UnderstudyParameters
  understudy: Understudy
}

/** The options of {@link understudy}. */
export interface UnderstudyOptions {
  /**
   * The handlers that answer after those of every story, for tests of portable stories, where no builder loads the
   * project's handlers. A list, named groups, or a function that returns one of these.
   */
  readonly handlers?: HandlersExport
  /** The scenarios of the project, for the same tests. They need `handlers`. */
  readonly scenarios?: Scenarios
}

/**
 * The addon for CSF Next, and for portable stories.
 *
 * @param options for portable stories: the project's handlers and scenarios, which no builder loads there
 * @example
 * // .storybook/preview.ts
 * export default definePreview({ addons: [understudy()] })
 * @example
 * // a test runner's setup file
 * setProjectAnnotations([understudy({ handlers }), preview])
 */
export function understudy({ handlers, scenarios }: UnderstudyOptions = {}): PreviewAddon<UnderstudyTypes> {
  if (handlers !== undefined) setProjectHandlers(handlers, scenarios)
  return definePreviewAddon<UnderstudyTypes>({
    beforeAll,
    loaders,
    beforeEach,
    afterEach,
    argTypesEnhancers,
    initialGlobals,
  })
}

/**
 * Returns `context.understudy` with its type, for stories in CSF 3.
 *
 * @throws {UnderstudyError} if the addon is not in `main.ts`
 * @example
 * play: async (context) => {
 *   const { requests } = understudyOf(context)
 * }
 */
export function understudyOf(context: object): Understudy {
  const { understudy: found } = context as { understudy?: Understudy }
  if (found) return found
  throw failure(
    'US0907',
    'find context.understudy',
    'the addon did not run',
    "Add '@understudy/storybook-addon' to the addons of .storybook/main.ts.",
  )
}
