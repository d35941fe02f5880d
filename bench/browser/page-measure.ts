import type { MswLike } from '../subjects/msw-like.ts'

/** The measures of a page. */
export type PageMeasure = 'mocked' | 'passthrough' | 'concurrent' | 'runtimeHandlers' | 'requestBody' | 'responseBody'

/** The common members of all subjects with handlers. */
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

/** The module of a page's subject. */
export interface SubjectModule {
  readonly core?: MswLike
  readonly setupWorker?: (...handlers: readonly object[]) => SubjectWorker
  /** The URL of the service worker's script, if there is one. */
  readonly worker?: string
  /** Only Understudy has this option. */
  readonly answer?: 'page' | 'worker'
}

/** The value of `understudyBench` on a page. */
export interface PageBench {
  /** The time from the navigation until mocking is on, in milliseconds. */
  readonly isReady: Promise<number>
  /** Returns the duration of one operation in milliseconds. */
  readonly measure: (name: PageMeasure, milliseconds: number) => Promise<number>
}
