import { createHandlers, load, specifiersOf, type MswLike, type NodeLike, type ServerLike } from './msw-like.ts'

/** Starts a subject's server with a number of handlers. Returns it with the subject's `http` and `HttpResponse`. */
export async function listen(
  subject: string,
  count: number,
  base?: string,
): Promise<{ core: MswLike; server: ServerLike }> {
  const { core: coreSpecifier, node } = specifiersOf(subject)
  const core = await load<MswLike>(coreSpecifier)
  const { setupServer } = await load<NodeLike>(node)
  const server = setupServer(...createHandlers(core, count, base))
  // msw 3 renamed the option.
  server.listen({ onUnhandledRequest: 'bypass', onUnhandledFrame: 'bypass' })
  return { core, server }
}
