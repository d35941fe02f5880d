import type { HandlersExport } from '@understudy/engine/bootstrap'
import { definePreviewAddon, type PreviewAddon } from 'storybook/internal/csf'

import { afterEach, argTypesEnhancers, beforeAll, beforeEach, initialGlobals, loaders } from './annotations.ts'
import { setProjectHandlers } from './page-mocking.ts'
import type { UnderstudyParameters } from './parameters.ts'
import type { Understudy } from './understudy.ts'

/** What the addon adds to stories: their parameters, and `context.understudy`. */
export interface UnderstudyTypes {
  parameters: UnderstudyParameters
  understudy: Understudy
}

/** The options of {@link understudy}. */
export interface UnderstudyOptions {
  /**
   * The handlers beneath those of every story, where no builder brings the project's: in tests of portable stories. A
   * list, named groups, or a function that returns one.
   */
  readonly handlers?: HandlersExport
}

/**
 * The addon for CSF Next, and for portable stories.
 *
 * @example
 * // .storybook/preview.ts
 * export default definePreview({ addons: [understudy()] })
 * @example
 * // a test runner's set-up file
 * setProjectAnnotations([understudy({ handlers }), preview])
 */
export function understudy({ handlers }: UnderstudyOptions = {}): PreviewAddon<UnderstudyTypes> {
  if (handlers !== undefined) setProjectHandlers(handlers)
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
 * `context.understudy`, typed, for stories in CSF 3.
 *
 * @throws where the addon is not in `main.ts`
 * @example
 * play: async (context) => {
 *   const { requests } = understudyOf(context)
 * }
 */
export function understudyOf(context: object): Understudy {
  const { understudy: found } = context as { understudy?: Understudy }
  if (found) return found
  throw new Error(
    'Failed to find context.understudy: the addon did not run. ' +
      "Add '@understudy/storybook-addon' to the addons of .storybook/main.ts.",
  )
}
