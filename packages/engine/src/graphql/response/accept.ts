const graphqlResponse = 'application/graphql-response+json'

/**
 * Returns the media types of an `Accept` header in the order of preference, without parameters and without refused
 * types.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9110#name-accept
 */
export function acceptedTypes(accept: string | null): string[] {
  if (accept === null) return []
  // Most requests have these values.
  if (accept === '*/*') return [accept]
  return accept
    .split(',')
    .map((range) => {
      const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
      const quality = parameters.find((parameter) => parameter.startsWith('q='))
      return { type, quality: quality === undefined ? 1 : Number(quality.slice(2)) }
    })
    .filter(({ type, quality }) => type !== '' && quality > 0)
    .sort((a, b) => b.quality - a.quality)
    .map(({ type }) => type)
}

/**
 * Returns whether a result is sent as `application/graphql-response+json`: the client accepts it, and does not prefer
 * plain JSON.
 *
 * @see https://graphql.github.io/graphql-over-http/draft/#sec-Accept
 */
export function prefersGraphQLResponse(accept: string | null): boolean {
  const types = acceptedTypes(accept)
  const index = types.indexOf(graphqlResponse)
  const json = types.indexOf('application/json')
  return index !== -1 && (json === -1 || index < json)
}

/** Returns whether the client accepts only event streams. Then a single result is sent as an event stream, too. */
export function takesEventStreamAlone(accept: string | null): boolean {
  const types = acceptedTypes(accept)
  return types.length > 0 && types.every((type) => type === 'text/event-stream')
}
