import { createHandlers, load, specifiersOf, type MswLike, type NodeLike, type ServerLike } from './msw-like.ts'

/** A server of a subject that listens, with so many handlers, and its `http` and `HttpResponse`. */
export async function listen(
  subject: string,
  count: number,
  base?: string,
): Promise<{ core: MswLike; server: ServerLike }> {
  const { core: coreSpecifier, node } = specifiersOf(subject)
  const core = await load<MswLike>(coreSpecifier)
  const { setupServer } = await load<NodeLike>(node)
  const server = setupServer(...createHandlers(core, count, base))
  // What the option is called changed with msw 3.
  server.listen({ onUnhandledRequest: 'bypass', onUnhandledFrame: 'bypass' })
  return { core, server }
}
