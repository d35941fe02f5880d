/** What the engine knows of a response that its properties do not show. */
export interface ResponseMarks {
  /** The headers that the constructor got, with the case and order of names, which `Headers` loses. */
  given?: HeadersInit | undefined
  /** The body, if the constructor set the Content-Type of the response, and not the developer. */
  known?: KnownBody | undefined
  /** The handler that answered with it. */
  sender?: object
  facts?: FetchFacts
}

/** The text of a response with a default type. */
export interface KnownBody {
  readonly text: string | null
  /** In bytes. */
  readonly length: number
}

/** The properties of a fetched response that the constructor of `Response` cannot set. */
export interface FetchFacts {
  /** The response's URL, without a fragment. */
  readonly url: string
  readonly redirected: boolean
  readonly type: ResponseType
  /** Aborts the body. */
  readonly signal?: AbortSignal | undefined
}

/**
 * A registered symbol, because a page may load two copies of the engine, and each must read the responses of the other.
 */
const key: unique symbol = Symbol.for('understudy.marks') as never

interface Marked {
  readonly [key]?: ResponseMarks
}

/** Returns the marks of a response, if it has any. */
export function marksOf(response: Response): ResponseMarks | undefined {
  return (response as Marked)[key]
}

/**
 * Returns the marks of a response, to change them. They are in one object, because a hidden property takes as long as
 * creating ten objects. (A `WeakMap` would take the garbage collector more time.)
 */
export function mark(response: Response): ResponseMarks {
  const marks = marksOf(response)
  if (marks) return marks
  const value = {}
  // This has no effect on a frozen response.
  Reflect.defineProperty(response, key, { value })
  return value
}
