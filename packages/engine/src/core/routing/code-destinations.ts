/** Returns whether a request may load a script that starts mocking, or a file for which such a script waits. */
export function isNeededToStart({ destination }: Pick<Request, 'destination'>): boolean {
  return /script|style|json|work(er|let)|manifest|xslt|report/.test(destination)
}

/** Returns whether a request is for code of the app: a script, a style sheet, a module or a worker of its origin. */
export function isForCode(request: Pick<Request, 'destination' | 'method' | 'url'>): boolean {
  // A report is sent by POST.
  return isNeededToStart(request) && request.method === 'GET' && new URL(request.url).origin === location.origin
}
