import type { LoggedRequest } from '@understudy/engine/inspect'

/** Creates a request of a log for tests. Default: a mocked GET. */
export function createRequest(id: string, given: Partial<LoggedRequest>): LoggedRequest {
  return {
    id,
    method: 'GET',
    url: 'http://localhost/api/users',
    name: null,
    startedAt: 0,
    matchedAfter: null,
    duration: 1,
    respondedAfter: null,
    outcome: 'mocked',
    status: null,
    statusText: null,
    error: null,
    thrown: null,
    handler: null,
    forced: null,
    noResponse: [],
    nearest: [],
    suggestion: null,
    ...given,
  }
}
