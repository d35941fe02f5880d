import {
  answer,
  createHandlers,
  load,
  specifiersOf,
  understudyWithRequest,
  type MswLike,
  type NodeLike,
  type ServerLike,
} from './msw-like.ts'

/** Starts a subject's server with a number of handlers. Returns it with the subject's `http` and `HttpResponse`. */
export async function listen(
  subject: string,
  count: number,
  base?: string,
): Promise<{ core: MswLike; server: ServerLike }> {
  const { core: coreSpecifier, node } = specifiersOf(subject)
  const core = await load<MswLike>(coreSpecifier)
  const { setupServer } = await load<NodeLike>(node)
  const readRequest = ({ request }: { request: Request }): Response =>
    request.url === '' ? core.HttpResponse.text('') : core.HttpResponse.json(answer)
  const resolver = subject === understudyWithRequest ? readRequest : undefined
  const server = setupServer(...createHandlers(core, count, base, resolver))
  // msw 3 renamed the option.
  server.listen({ onUnhandledRequest: 'bypass', onUnhandledFrame: 'bypass' })
  return { core, server }
}
