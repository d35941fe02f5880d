import type { HandlerOptions } from '../core/handlers/request-handler.ts'
import type { HttpHandler } from './http-handler.ts'
import type { HttpResponseResolver } from './http-resolver.ts'
import { createHttpFactory } from './http.ts'

/** The names of methods in an OpenAPI document. */
type Method = 'get' | 'head' | 'post' | 'put' | 'patch' | 'delete' | 'options'

/** The paths of a document that have an operation of a method. */
type PathsWith<Paths, Name extends Method> = {
  [Path in keyof Paths]: Paths[Path] extends { [Key in Name]: infer Operation }
    ? [Operation] extends [undefined]
      ? never
      : Path
    : never
}[keyof Paths] &
  string

type OperationOf<Paths, Path extends keyof Paths, Name extends Method> = Paths[Path] extends {
  [Key in Name]: infer Operation
}
  ? Operation
  : never

/** In a URL, every parameter is text, whatever its type in the document. */
type ParamsOfOperation<Operation> = Operation extends { parameters: { path: infer Params } }
  ? { [Name in keyof Params]: string }
  : Record<never, never>

type ContentOf<Message> = Message extends { content: infer Content } ? Content[keyof Content] : undefined

type RequestBodyOf<Operation> = Operation extends { requestBody?: infer Body } ? ContentOf<NonNullable<Body>> : never

/** The bodies of all responses of an operation. A response without content allows `new HttpResponse(null)`. */
type ResponseBodyOf<Operation> = Operation extends { responses: infer Responses }
  ? { [Status in keyof Responses]: EmptyAsNull<ContentOf<Responses[Status]>> }[keyof Responses]
  : never

type EmptyAsNull<Body> = [Body] extends [undefined] ? null : [Body] extends [never] ? null : Body

/** Creates handlers for one method, whose types are checked against a document. */
export type TypedHttpHandlerFactory<Paths, Name extends Method> = <Path extends PathsWith<Paths, Name>>(
  path: Path,
  resolver: HttpResponseResolver<
    ParamsOfOperation<OperationOf<Paths, Path, Name>>,
    RequestBodyOf<OperationOf<Paths, Path, Name>>,
    ResponseBodyOf<OperationOf<Paths, Path, Name>>
  >,
  options?: HandlerOptions,
) => HttpHandler

/** {@link TypedHttpHandlerFactory} by method. */
export type TypedHttp<Paths> = { readonly [Name in Method]: TypedHttpHandlerFactory<Paths, Name> }

/** Options of {@link typedHttp}. */
export interface TypedHttpOptions {
  /** The base of the document's paths: `https://api.example.com/v1`. Default: the page's origin, as for any path. */
  baseUrl?: string
}

/**
 * Creates factories whose types are checked against an OpenAPI document: paths, parameters, request and response
 * bodies.
 *
 * It is not a member of `http`, because code loops over the members of `http` and calls each with a path and a
 * resolver.
 *
 * @typeParam Paths the `paths` that openapi-typescript generates
 * @example
 * import type { paths } from './api.d.ts'
 * const api = typedHttp<paths>({ baseUrl: 'https://api.example.com' })
 * const handlers = [api.get('/users/{id}', ({ params }) => HttpResponse.json({ id: params.id, name: 'Ada' }))]
 */
export function typedHttp<Paths>(options: TypedHttpOptions = {}): TypedHttp<Paths> {
  const create = (method: string): unknown => createHttpFactory(method, (path) => fromOpenApiPath(path, options))
  const factories: Record<Method, unknown> = {
    get: create('GET'),
    head: create('HEAD'),
    post: create('POST'),
    put: create('PUT'),
    patch: create('PATCH'),
    delete: create('DELETE'),
    options: create('OPTIONS'),
  }
  // The types of the document are narrower than those of `http`.
  return factories as TypedHttp<Paths>
}

/** Converts a path: `/users/{id}` in OpenAPI is `/users/:id` here. */
function fromOpenApiPath(path: string, { baseUrl = '' }: TypedHttpOptions): string {
  return baseUrl.replace(/\/$/, '') + path.replace(/\{(\w+)\}/g, ':$1')
}
