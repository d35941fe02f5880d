import { stripTypeScriptTypes } from 'node:module'

import type { BuildTool } from './build-tool.ts'

// Types move the lines that the browser sees.
const handlers = `import { graphql, http, HttpResponse, passthrough, sse, ws } from '@understudy/engine'

interface User {
  name: string
}

const ada: User = { name: 'Ada' }
const chat = ws.link('wss://chat.test/room')

function findUser(): User {
  throw new TypeError('No such user')
}

export const handlers = [
  http.get('/api/user', () => HttpResponse.json(ada)),
  http.get('/api/hang', () => new Promise(() => {})),
  http.get('/api/broken', () => HttpResponse.json(findUser())),
  http.get('/api/text-thrown', () => {
    throw 'sold out'
  }),
  http.get('/api/empty', () => new HttpResponse(new Blob([]))),
  http.get('/api/forgotten', () => {
    HttpResponse.json(ada)
  }),
  http.get('/api/logged', () => {}),
  http.get('/api/logged', () => HttpResponse.json(ada)),
  http.get('/api/real', () => passthrough()),
  graphql.query('ListReviews', () =>
    HttpResponse.json({ data: null, errors: [{ message: 'Not <b>allowed</b>' }, { message: 'Gone' }] }),
  ),
  graphql.mutation('AddReview', () => HttpResponse.json({ data: { addReview: { id: 1 } } })),
  http.get('/api/large', () =>
    HttpResponse.json(
      Array.from({ length: 8000 }, (_, id) => ({ id, name: \`User \${id}\`, email: \`user\${id}@example.test\`, tags: ['a', 'b'], note: 'x'.repeat(50) })),
    ),
  ),
  sse('/api/events', ({ client }) => {
    client.send({ data: '<b>first</b>' })
    client.send({ id: '5', event: 'joined', data: { name: 'Ada' } })
    globalThis.sendEvent = (data) => client.send({ data })
    globalThis.endEvents = () => client.close()
  }),
  chat.addEventListener('connection', ({ client }) => {
    client.addEventListener('message', ({ data }) => typeof data === 'string' && client.send(\`echo \${data}\`))
  }),
]
`

const main = `window.ask = async (path, init) => {
  const response = await fetch(path, init)
  return [response.status, await response.text()]
}
window.chat = () => {
  window.received = []
  const socket = new WebSocket('wss://chat.test/room')
  socket.onopen = () => socket.send('<b>hi</b>')
  socket.onmessage = ({ data }) => window.received.push(data)
  window.socket = socket
}
`

/** The app whose requests the tests of the log look at. */
export interface PanelLogApp {
  /** `'src/mocks/handlers.ts'` */
  readonly handlersFile: string
  /** The contents of its files, by their paths. */
  readonly files: Record<string, string>
}

/** Creates the app for a build tool. */
export function createPanelLogApp({ readsTypeScript }: BuildTool): PanelLogApp {
  const handlersFile = readsTypeScript ? 'src/mocks/handlers.ts' : 'src/mocks/handlers.js'
  // The other tools have no loader for TypeScript here. The types become spaces, and no line moves.
  const code = readsTypeScript ? handlers : stripTypeScriptTypes(handlers)
  return { handlersFile, files: { [handlersFile]: code, 'src/main.js': main } }
}
