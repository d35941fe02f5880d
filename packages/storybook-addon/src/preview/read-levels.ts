type Parameters = Readonly<Record<string, unknown>>

/** CSF 3's exports hold annotations; those of CSF Next hold them as `input`, and what they were made of. */
interface StoryExport {
  readonly parameters?: Parameters
  readonly input?: { readonly parameters?: Parameters }
  readonly meta?: { readonly preview?: { readonly composed?: { readonly parameters?: Parameters } } }
}

/** The state that Storybook's preview keeps on its page. Portable stories have none, and do not read levels. */
interface PreviewPage {
  readonly __STORYBOOK_PREVIEW__?: {
    readonly storyStoreValue?: { readonly projectAnnotations?: { readonly parameters?: Parameters } }
  }
}

/** The parameters of only a story and only the preview, before Storybook merges them. */
export function readLevels(context: object): { own: Parameters | undefined; preview: Parameters | undefined } {
  const { moduleExport } = context as { moduleExport?: StoryExport }
  const { __STORYBOOK_PREVIEW__: page } = globalThis as PreviewPage
  return {
    own: moduleExport?.input?.parameters ?? moduleExport?.parameters,
    preview: moduleExport?.meta?.preview?.composed?.parameters ?? page?.storyStoreValue?.projectAnnotations?.parameters,
  }
}
