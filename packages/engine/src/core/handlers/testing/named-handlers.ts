import { http } from '../../../http/http.ts'
import { handleRequest } from '../../network/handle-request.ts'
import { Network } from '../../network/network.ts'
import { HttpResponse } from '../../responses/http-response.ts'
import { readUnhandledPolicy } from '../../unhandled/unhandled-request.ts'
import type { HandlerLayers } from '../handler-layers.ts'
import type { Handler, HandlerOptions } from '../request-handler.ts'

/** A handler that answers with its name. */
export function named(name: string, path = '/x', options?: HandlerOptions): Handler {
  return http.get(`https://app.test${path}`, () => HttpResponse.text(name), options)
}

export function create(...initial: Handler[]): {
  layers: HandlerLayers
  ask(path?: string): Promise<string | undefined>
} {
  const network = new Network(initial, { unhandled: readUnhandledPolicy({ onUnhandledRequest: 'bypass' }) })
  return {
    layers: network.layers,
    async ask(path = '/x') {
      const outcome = await handleRequest(new Request(`https://app.test${path}`), network)
      return outcome.type === 'mocked' ? outcome.response.text() : undefined
    },
  }
}

export const a: Handler = named('a')
export const b: Handler = named('b')
export const c: Handler = named('c')
export const d: Handler = named('d')
export const e: Handler = named('e')
export const f: Handler = named('f')
