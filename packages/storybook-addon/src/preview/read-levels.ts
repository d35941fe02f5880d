type Parameters = Readonly<Record<string, unknown>>

/** An export of CSF 3 is the annotations. An export of CSF Next has them as `input`. */
interface StoryExport {
  readonly parameters?: Parameters
  readonly input?: { readonly parameters?: Parameters }
  readonly meta?: { readonly preview?: { readonly composed?: { readonly parameters?: Parameters } } }
}

/**
 * The state that Storybook's preview stores on its page. Portable stories have no such state, so their levels are
 * unknown.
 */
interface PreviewPage {
  readonly __STORYBOOK_PREVIEW__?: {
    readonly storyStoreValue?: { readonly projectAnnotations?: { readonly parameters?: Parameters } }
  }
}

/** Returns the parameters of only the story and only the preview, before Storybook merges them. */
export function readLevels(context: object): { own: Parameters | undefined; preview: Parameters | undefined } {
  const { moduleExport } = context as { moduleExport?: StoryExport }
  const { __STORYBOOK_PREVIEW__: page } = globalThis as PreviewPage
  return {
    own: moduleExport?.input?.parameters ?? moduleExport?.parameters,
    preview: moduleExport?.meta?.preview?.composed?.parameters ?? page?.storyStoreValue?.projectAnnotations?.parameters,
  }
}
