/**
 * Runs scenarios against one library and prints the outcomes as JSON: `node run-scenarios.js msw-2 events.js`.
 *
 * Each library gets a separate process, because all of them replace the same globals.
 */
import { createServer } from 'node:http'

import { WebSocketServer } from 'ws'

const [library, file] = process.argv.slice(2)
const write = process.stdout.write.bind(process.stdout)

/** The real server, which answers requests that are not mocked. */
const backend = createServer((request, response) => {
  response.setHeader('X-From', 'backend')
  if (request.url === '/accept') response.end(request.headers.accept ?? 'nothing')
  else response.end(`real ${request.method} ${request.url}`)
})
new WebSocketServer({ server: backend }).on('connection', (socket) => {
  socket.send('greeting')
  socket.on('message', (data) => socket.send(`real ${data.toString()}`))
})
await new Promise((resolve) => backend.listen(0, '127.0.0.1', resolve))
const { port } = backend.address()
const real = `http://127.0.0.1:${port}`

// MSW 3 exports `graphql` from a subpath only.
const names = { ...(await import(library)), ...(library === 'msw-3' && (await import('msw-3/graphql'))) }
const { setupServer } = await import(`${library}/node`)
const { scenarios } = await import(`./scenarios/${file}`)

let printed = []
for (const method of ['log', 'info', 'warn', 'error', 'groupCollapsed', 'group', 'groupEnd', 'debug']) {
  console[method] = (...values) => printed.push([method, values.map(String).join(' ')])
}
const rejections = []
process.on('unhandledRejection', (error) => rejections.push(String(error)))
process.on('uncaughtException', (error) => rejections.push(String(error)))

/** Returns the outcome of a request, without the texts of errors, which differ between libraries. */
async function ask(url, init) {
  try {
    const response = await fetch(url, init)
    return `${response.status} ${await response.text()}`
  } catch (error) {
    return error.name
  }
}

/** Ports differ between runs, and stacks between libraries. */
function clean(value) {
  const text = JSON.stringify(value ?? null).replaceAll(String(port), '<port>')
  return JSON.parse(text.replace(/(?:\\+n {4}at [^"\\]*)+/g, ''))
}

const outcomes = {}
for (const [name, run] of Object.entries(scenarios)) {
  printed = []
  rejections.length = 0
  const servers = []
  const kit = {
    ...names,
    real,
    ask,
    api: 'https://api.example.com',
    printed: () => printed,
    library,
    /** A server that listens. MSW 3 renamed the option. */
    listen(handlers, strategy) {
      const server = setupServer(...handlers)
      const option = library === 'msw-3' ? 'onUnhandledFrame' : 'onUnhandledRequest'
      server.listen(strategy === undefined ? {} : { [option]: strategy })
      servers.push(server)
      return server
    },
    setupServer,
    later: (ms = 20) => new Promise((resolve) => setTimeout(resolve, ms)),
  }
  let outcome
  let timer
  try {
    const hangs = new Promise((resolve) => (timer = setTimeout(() => resolve('hangs'), 5000)))
    outcome = await Promise.race([run(kit), hangs])
  } catch (error) {
    outcome = { threw: String(error) }
  }
  clearTimeout(timer)
  for (const server of servers) {
    try {
      server.close()
    } catch {}
  }
  await new Promise((resolve) => setTimeout(resolve, 5))
  outcomes[name] = clean(rejections.length > 0 ? { outcome, rejections: [...rejections] } : outcome)
}
write(JSON.stringify(outcomes, null, 1), () => process.exit(0))
