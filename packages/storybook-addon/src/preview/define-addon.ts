import { definePreviewAddon, type PreviewAddon } from 'storybook/internal/csf'

import { afterEach, argTypesEnhancers, beforeAll, beforeEach, initialGlobals, loaders } from './annotations.ts'
import type { UnderstudyParameters } from './parameters.ts'
import type { Understudy } from './understudy.ts'

/** What the addon adds to stories: their parameters, and `context.understudy`. */
export interface UnderstudyTypes {
  parameters: UnderstudyParameters
  understudy: Understudy
}

/**
 * The addon for CSF Next.
 *
 * @example
 * // .storybook/preview.ts
 * export default definePreview({ addons: [understudy()] })
 */
export function understudy(): PreviewAddon<UnderstudyTypes> {
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
