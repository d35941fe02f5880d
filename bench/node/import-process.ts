/** Imports a subject's entries, and prints the milliseconds: `node import-process.ts <subject> <variant>`. */
import { load, specifiersOf, type MswLike, type NodeLike } from '../subjects/msw-like.ts'

const [subject = '', variant] = process.argv.slice(2)
const { core, node } = specifiersOf(subject)

// Every mock needs `Response`. Load it here, so that its cost does not count as the subject's.
void new Response('touched')

const start = performance.now()
const { http, HttpResponse } = await load<MswLike>(core)
const { setupServer } = await load<NodeLike>(node)
if (variant === 'import and listen') {
  setupServer(http.get('http://api.test/user', () => HttpResponse.text('Ada'))).listen({ onUnhandledRequest: 'bypass' })
}
const duration = performance.now() - start
process.stdout.write(String(duration), () => process.exit())
