import type { MockingPage } from './connection.ts'
import type { Connections } from './connections.ts'
import { fromResponseData, toRequestData, toResponseData } from './request-data.ts'
import { fail, sendToNetwork } from './send-to-network.ts'

/**
 * Asks the engines of a page, the one that started last first, until one has a handler that matches. A test runner that
 * evaluates the engine again for the next file expects answers of the new one.
 *
 * @param connections check meanwhile whether the page still exists
 * @param source the request from which the body is read
 */
export async function askPage(
  connections: Connections,
  page: MockingPage,
  request: Request,
  source: Request = request,
): Promise<Response> {
  const engines = page.toReversed()
  const matching = engines.filter(({ table }) => table.couldMatch(request))
  const asked = matching.length > 0 ? matching : engines.filter(({ table }) => table.others === 'ask')
  let data = await toRequestData(source)
  for (const connection of asked) {
    const { id, decision } = connection.ask(data, matching.length > 0)
    connections.watch()
    request.signal.addEventListener('abort', () => connection.send({ type: 'abort', id }), { once: true })
    const decided = await decision
    if (!decided) return fail(request, decided === null ? 'sent an invalid decision. Reload the page.' : undefined)
    if (decided.type === 'mocked') return fromResponseData(decided.response, request)
    if (decided.type === 'network-error') return Response.error()
    data = { ...data, body: decided.body }
    if (decided.isUnhandled && connection !== asked.at(-1)) continue
    const response = await sendToNetwork(request, decided.body)
    if (decided.wantsResponse) {
      const copy = toResponseData(response.clone())
      connection.send({ type: 'response', id, response: copy }, copy.body ? [copy.body as ReadableStream] : [])
    }
    return response
  }
  return sendToNetwork(request, data.body)
}
