import type { Args, Renderer } from 'storybook/internal/csf'

import type { UnderstudyParameters } from './preview/parameters.ts'
import type { Understudy } from './preview/understudy.ts'

// The type parameters must be the same as in Storybook's interface.
declare module 'storybook/internal/csf' {
  interface StoryContext<TRenderer extends Renderer = Renderer, TArgs = Args> {
    /** The handlers and requests of this story. */
    understudy: Understudy
    /** The same object, by the name that `msw-storybook-addon` uses. */
    msw: Understudy
  }
  interface Parameters extends UnderstudyParameters {}
}
