/**
 * The time-outs of a page, in milliseconds.
 *
 * A start waits for these steps in this order: the foreign worker, the registration, the worker's first message, control
 * of the page. Each step has its own time-out. After `scriptCheckDelay` the page examines the worker's script, while
 * it continues to wait. A script that is not ours ends the step; a slow one does not, until `slowStepLimit`. Requests
 * are held during all steps, so the gate's warning can precede the result of a step.
 */

/** The page examines the worker's script when the worker has not responded after this time. */
export const scriptCheckDelay = 300

/** The limit on the registration of a foreign worker, and on its response to a probe. */
export const foreignWorkerTimeout = 5000

/**
 * The limit on functions of the browser about registrations, which can hang, and on a start of a script that imports
 * others, and therefore may be ours or not.
 */
export const registrationTimeout = 8000

/**
 * After this time, the page tries a step again, because the browser may have lost the first call or message, and says
 * what it is waiting for. The step may also only be slow.
 */
export const workerTimeout = 5000

/**
 * The limit on each step of a start that shows no fault: the server delays the script, or the machine is busy. Only then
 * does the page answer itself, which lets the requests from elements reach the network.
 */
export const slowStepLimit = 60_000

/** An installed worker that is not active after this time waits for a busy one, which Chromium does not replace. */
export const activationLimit = 1000

/** The limit on the wait until the worker controls the page. */
export const controlTimeout = 5000

/** The interval at which that wait checks whether the worker is still registered. */
export const controlInterval = 300

/** In Firefox, how long a page waits for pending requests before it answers that it cannot hold its requests. */
export const idleLimit = 300

/** Chromium ends a request that the service worker has not answered after this time. Firefox does not. */
export const answerLimit = 300_000

/** The gate warns on the console when requests have been held for this time. It continues to hold them. */
export const heldWarningDelay = 5000

/** In Firefox, how long after `beforeunload` the page itself answers its requests. The next page may take long. */
export const leavingLimit = 60_000

/**
 * In Firefox, how long after `beforeunload` elements wait for their sources, and files that failed to load are not reported:
 * both end with the page. Shorter than {@link leavingLimit}, because people wait for these if the page stays.
 */
export const navigationLimit = 3000
