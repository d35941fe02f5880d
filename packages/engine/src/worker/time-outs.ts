/**
 * The time-outs of the service worker, in milliseconds.
 *
 * A request of a client that the worker does not know waits until the client's first script has told what it is, or until
 * one of the first two limits. A request whose page is known waits for as long as that page exists: the worker looks at each
 * `watchInterval`. `heardLimit` only decides which of several pages is asked first. The lease is longer than the
 * others, so a page that loads slowly does not lose its worker meanwhile.
 */

/** The limit on the wait of a page's requests for its first script. */
export const firstScriptLimit = 3000

/** The same for a frame or a pop-up. Another page answers for it if it does not mock. */
export const frameScriptLimit = 500

/** The interval at which the worker looks whether the pages that it waits for exist. */
export const watchInterval = 1000

/** After this time without a response of one page, the next one that could answer is tried too. */
export const heardLimit = 500

/** After a navigation, a page has this time to ask for mocking. The worker removes itself if no page has. */
export const leaseTime = 5000
