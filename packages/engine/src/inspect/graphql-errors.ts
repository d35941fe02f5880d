/** The number of errors of a response that are kept. */
const errorLimit = 10
/** The number of characters of a message that are kept. */
const textLimit = 300

/**
 * Returns the messages of the errors in a GraphQL response, or in a list of responses.
 *
 * Source: GraphQL specification, "Response Format". The list `errors` is never empty.
 *
 * @param text the body; a body that is not JSON has no errors
 */
export function readGraphqlErrors(text: string): readonly string[] {
  // Do not parse a large body without errors.
  if (!text.includes('"errors"')) return []
  const results = parse(text)
  return (Array.isArray(results) ? results : [results])
    .flatMap((result: unknown) => propertyOf(result, 'errors') ?? [])
    .slice(0, errorLimit)
    .map((error) => {
      const message = propertyOf(error, 'message')
      return typeof message === 'string' ? message.slice(0, textLimit) : 'Error without a message'
    })
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function propertyOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined
}
