import type { MswLike } from '../subjects/msw-like.ts'

/** What a page can measure. */
export type PageMeasure = 'mocked' | 'passthrough' | 'concurrent' | 'runtimeHandlers' | 'requestBody' | 'responseBody'

/** What subjects that have handlers have in common. */
export interface SubjectWorker {
  start(options: {
    quiet: boolean
    onUnhandledRequest: 'bypass'
    onUnhandledFrame: 'bypass'
    serviceWorker: { url: string | undefined }
    answer: 'page' | 'worker' | undefined
  }): Promise<unknown>
  use(...handlers: readonly object[]): void
  resetHandlers(): void
}

/** What a page has of its subject. */
export interface SubjectModule {
  readonly core?: MswLike
  readonly setupWorker?: (...handlers: readonly object[]) => SubjectWorker
  /** URL of the service worker's script, where there is one. */
  readonly worker?: string
  /** Only Understudy has this option. */
  readonly answer?: 'page' | 'worker'
}

/** What a page has under `understudyBench`. */
export interface PageBench {
  /** Milliseconds from the navigation until mocking is on. */
  readonly isReady: Promise<number>
  /** Milliseconds that one takes. */
  readonly measure: (name: PageMeasure, milliseconds: number) => Promise<number>
}
