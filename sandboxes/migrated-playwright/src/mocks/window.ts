import type { http, HttpResponse } from 'msw'
import type { SetupWorker } from 'msw/browser'

declare global {
  interface Window {
    /** For tests in the browser, which change handlers from within the page. */
    msw: { worker: SetupWorker; http: typeof http; HttpResponse: typeof HttpResponse }
  }
}
