/**
 * Where an error was thrown. The stack of a module that does not parse names no place: the browser does, when it
 * reports the error as one that nobody caught, which the console shows.
 *
 * @returns `'http://localhost:5173/src/mocks/handlers.js:3:21'`, or as the bundler names it; nothing, where the browser does not know
 */
export function locateError(error: Error): string | undefined {
  const line = /(?:https?|webpack|webpack-internal):\/\/\S*?:\d+:\d+/.exec(error.stack ?? '')
  // How webpack names modules that it evaluates: `webpack://app/./src/mocks/handlers.js?:3:21`.
  if (line) return line[0].replace(/^webpack(-internal)?:\/\/[^/]*\//, '').replace('?:', ':')
  let place: string | undefined
  const listen = (event: ErrorEvent): void => {
    if (event.filename) place = `${event.filename}:${event.lineno}:${event.colno}`
  }
  addEventListener('error', listen)
  reportError(error)
  removeEventListener('error', listen)
  return place
}
