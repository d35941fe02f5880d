import { checkOptions, readHandlers, type HandlersInput } from '../handlers/check-handlers.ts'
import { HandlerLayers } from '../handlers/handler-layers.ts'
import type { Handler } from '../handlers/request-handler.ts'
import { Response } from '../platform.ts'
import { carryOut } from '../source.ts'
import { readUnhandledPolicy } from '../unhandled/unhandled-request.ts'
import { checkRequest } from './check-request.ts'
import { handleRequest } from './handle-request.ts'
import { Network } from './network.ts'

/**
 * Returns the response of handlers to a request, without intercepting requests.
 *
 * @param options `baseUrl`: the base of relative paths; default: the page's URL, if there is a page
 * @returns the response; `Response.error()` for a network error; `undefined` if no handler answers
 * @throws {UnderstudyError} if a list contains a value that is not a handler, `request` is not a `Request`, its body
 *   was already read, or `baseUrl` is not absolute
 * @example
 * const response = await getResponse(handlers, new Request('https://example.com/user/5'))
 */
export async function getResponse(
  handlers: HandlersInput,
  request: Request,
  options: { baseUrl?: string } = {},
): Promise<Response | undefined> {
  const list = known(handlers)
  checkRequest('get a response', request)
  checkOptions('get a response', options)
  const network = takeNetwork(list, options.baseUrl)
  const outcome = await handleRequest(request, network)
  list.idle = network
  return carryOut<Response | undefined>(outcome, {
    respond: (response) => response,
    fail: () => Response.error(),
    passthrough: () => undefined,
  })
}

const unhandled = readUnhandledPolicy({ onUnhandledRequest: 'bypass' })

/** The network of a list, with the items that the list had then, because it may have been changed since. */
interface KnownList {
  readonly held: readonly Handler[]
  readonly layers: HandlerLayers
  /** The network of the last call, if no call uses it now. */
  idle: Network | undefined
}

const knownLists = new WeakMap<object, KnownList>()

/** Most lists are used for many calls, so the network of a list is kept. */
function known(handlers: HandlersInput): KnownList {
  const before = knownLists.get(handlers)
  const list = Array.isArray(handlers) && before ? (handlers as readonly Handler[]) : undefined
  if (before && list && holdsSame(list, before.held)) return before
  const held = readHandlers('get a response', [handlers])
  if (before && holdsSame(held, before.held)) return before
  const layers = new HandlerLayers(held)
  const made: KnownList = { held: [...held], layers, idle: undefined }
  knownLists.set(handlers, made)
  return made
}

/** Returns a network that no other call uses meanwhile. */
function takeNetwork(list: KnownList, baseUrl: string | undefined): Network {
  const { idle, layers } = list
  list.idle = undefined
  if (idle && idle.givenBaseUrl === baseUrl) {
    // A resolver of the last call may still read its cookies.
    idle.cookies = undefined
    return idle
  }
  return new Network([], { ...(baseUrl !== undefined && { baseUrl }), unhandled, chooseLayers: () => layers })
}

function holdsSame(list: readonly Handler[], other: readonly Handler[]): boolean {
  if (list.length !== other.length) return false
  for (let index = 0; index < list.length; index += 1) if (list[index] !== other[index]) return false
  return true
}
