/**
 * The time-outs of the service worker, in milliseconds.
 *
 * A request of an unknown client waits until the client's first script has sent a message, or until one of the first
 * two limits. A request whose page is known waits while that page exists, which the worker checks every
 * `watchInterval`. `heardLimit` only decides which of several pages is asked first. The lease is longer than the
 * others, so a page that loads slowly does not lose its worker meanwhile.
 */

/** The limit on the wait of a page's requests for its first script. */
export const firstScriptLimit = 3000

/** The same for a frame or a pop-up. Another page answers for it if it does not mock. */
export const frameScriptLimit = 500

/** The interval at which the worker checks whether the pages for which it waits exist. */
export const watchInterval = 1000

/** After this time without a response of one page, the next page that could answer is asked, too. */
export const heardLimit = 500

/** After a navigation, a page has this time to ask for mocking. The worker removes itself if no page has. */
export const leaseTime = 5000

/**
 * In Firefox, how long a new worker waits for a page to hold its requests. A page that is too busy to answer makes none.
 * Shorter than the time for which other pages then hold theirs.
 */
export const holdLimit = 3000

/** In Firefox, the times before the attempts of a new worker to replace one that has pending requests. */
export const replacementDelays: readonly number[] = [0, 1000, 2000, 4000, 8000]

/** In Firefox, the limit on the worker's answer whether it has pending requests. The page does not wait that long. */
export const idleAnswerLimit = 1000
