type Body = Response['body']

/** @see https://fetch.spec.whatwg.org/#null-body-status */
const nullBodyStatuses: ReadonlySet<number> = new Set([101, 103, 204, 205, 304])

/**
 * Returns the body of a response as clients read it. Chromium gives a fetched response with a null body status an empty
 * stream, but its `Response` constructor rejects a body with such a status.
 *
 * @param decompress decompresses the body of a response with the header `Content-Encoding`
 */
export function readableBody<Result>(response: Response, decompress: (response: Response) => Result): Result | Body {
  if (nullBodyStatuses.has(response.status)) return null
  return response.headers.has('content-encoding') ? decompress(response) : response.body
}
