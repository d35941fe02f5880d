/**
 * Finds the place where an error was thrown. The stack of a syntax error in a module contains no place, but the `error` event
 * does if the error is reported as uncaught. The console shows that report too.
 *
 * @returns `'http://localhost:5173/src/mocks/handlers.js:3:21'`, or the bundler's name of the place, such as
 *   `'webpack://app/./src/mocks/handlers.js?:3:21'`; `undefined` if it is unknown
 */
export function locateError(error: Error): string | undefined {
  const lines = error.stack?.match(/(?:https?|webpack|webpack-internal):\/\/[^/\s]*\/\S*?:\d+:\d+/g) ?? []
  // The line of the project shows which call is wrong. The line of the package that it calls does not.
  const line = lines.find((each) => !each.includes('/node_modules/')) ?? lines[0]
  if (line) return line
  let place: string | undefined
  const listen = (event: ErrorEvent): void => {
    if (event.filename) place = `${event.filename}:${event.lineno}:${event.colno}`
  }
  addEventListener('error', listen)
  reportError(error)
  removeEventListener('error', listen)
  return place
}

/** Shortens a bundler's name of a place: `'./src/mocks/handlers.js:3:21'`. */
export function shortenPlace(place: string): string {
  return place.replace(/^webpack(-internal)?:\/\/[^/]*\//, '').replace('?:', ':')
}
