/**
 * Returns whether a list of debug namespaces switches the trace on, in the notation of the `debug` package: names
 * separated by commas or spaces, `*` for all, and `-understudy` to leave it out.
 *
 * @param list the value of `DEBUG`, or of `localStorage.debug`
 * @example
 * isTraceWanted('app:*,understudy') // true
 */
export function isTraceWanted(list: string | null | undefined): boolean {
  return /^(?!.*-understudy)(?:.*[\s,])?(?:\*|understudy(?::\*)?)(?:$|[\s,])/.test(list ?? '')
}
