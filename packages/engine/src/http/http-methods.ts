/** HTTP methods by name. `handler.info.method` has these values. MSW 1 calls them `RESTMethods`. */
export const HttpMethods = {
  HEAD: 'HEAD',
  GET: 'GET',
  POST: 'POST',
  PUT: 'PUT',
  PATCH: 'PATCH',
  OPTIONS: 'OPTIONS',
  DELETE: 'DELETE',
} as const

export type HttpMethods = (typeof HttpMethods)[keyof typeof HttpMethods]
