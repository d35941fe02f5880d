import { STORY_RENDER_PHASE_CHANGED } from 'storybook/internal/core-events'
import { addons } from 'storybook/preview-api'

/** Test libraries may replace it later. */
const { setTimeout } = globalThis

/** The preview of Storybook, with members that it does not document. Portable stories have none. */
interface RunningPreview {
  /** The renderings of the stories that the page shows. */
  readonly storyRenders?: readonly { isPending?(): boolean }[]
  /** A docs page can render again. It then mounts all of its stories again. */
  readonly currentRender?: { readonly rerender?: () => Promise<void> }
}

export function runningPreview(): RunningPreview {
  return (globalThis as { __STORYBOOK_PREVIEW__?: RunningPreview }).__STORYBOOK_PREVIEW__ ?? {}
}

/**
 * Waits until no story of the page is being rendered. Storybook reloads the page if it removes or remounts a story whose
 * rendering does not end within three tasks, for example because React renders it or its `beforeEach` waits.
 */
export function untilRendered(): Promise<void> {
  const channel = addons.getChannel()
  return new Promise((resolve) => {
    const check = (): void => {
      if (runningPreview().storyRenders?.some((render) => render.isPending?.())) return
      channel.off(STORY_RENDER_PHASE_CHANGED, check)
      resolve()
    }
    channel.on(STORY_RENDER_PHASE_CHANGED, check)
    setTimeout(check)
  })
}
