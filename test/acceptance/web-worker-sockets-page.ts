/** The code of the pages and the web workers that open WebSockets. */
import { checkConstructor, startNested } from './nested-workers.ts'

/** The global of a web worker that opens a connection and records its events. */
const recording = `
globalThis.heard = []
globalThis.connect = (...args) => {
  const socket = new WebSocket(...args)
  const events = []
  socket.onopen = () => events.push('open ' + socket.protocol)
  socket.onmessage = ({ data }) => events.push(data)
  socket.onerror = () => events.push('error ' + socket.readyState)
  socket.onclose = ({ code, reason, wasClean }) => events.push(\`close \${code} \${reason} \${wasClean}\`)
  return { socket, events }
}
const run = async (data, post) => {
  heard.push(data)
  post(await Function('return (' + data + ')()')())
}
self.onmessage = ({ data }) => run(data, postMessage)
self.onconnect = ({ ports: [port] }) => (port.onmessage = ({ data }) => run(data, (value) => port.postMessage(value)))
`

/** The ways of a build tool to create a web worker that not all tools have. */
export interface OwnKinds {
  /** Imports of the page. */
  readonly imports: string
  /** Expressions that create a web worker, by name. */
  readonly create: Readonly<Record<string, string>>
  /** Additional files of the project. */
  readonly files?: Readonly<Record<string, string>>
}

export const vite: OwnKinds = {
  imports: `import Imported from './module.js?worker'`,
  create: { imported: 'new Imported()' },
}

export const webpack: OwnKinds = {
  imports: '',
  create: {
    common: `new Worker(new URL('./common.cjs', import.meta.url))`,
    named: `new Worker(/* webpackChunkName: "given", webpackEntryOptions: { filename: "[name].worker.js" } */
      new URL('./named.js', import.meta.url))`,
  },
  files: {
    'src/common.cjs': `'use strict'\nrequire('./early.js')\n${recording}\nmodule.exports = {}`,
    'src/named.js': recording,
  },
}

const main = ({ imports, create }: OwnKinds): string => `
${imports}
const startNested = ${startNested}
window.create = {
  ${Object.entries(create)
    .map(([name, expression]) => `${name}: () => ${expression},`)
    .join('\n  ')}
  module: () => new Worker(new URL('./module.js', import.meta.url), { type: 'module' }),
  classic: () => new Worker(new URL('./classic.js', import.meta.url)),
  nested: () => startNested(() => new Worker(new URL('./nested.js', import.meta.url), { type: 'module' })),
  shared: () => new SharedWorker(new URL('./shared.js', import.meta.url), { type: 'module' }),
}
// Before mocking is on.
if (location.search === '?page=early') window.worker = create.module()
window.run = (worker, code) => new Promise((resolve) => {
  const port = worker.port ?? worker
  port.onmessage = ({ data }) => resolve(data)
  port.postMessage(code)
})
`

/**
 * The handlers of the project.
 *
 * @param version the first word of each greeting
 * @param real the URL of the real server
 */
export const handlers = (version: string, real: string): string => `import { ws } from '@understudy/engine'
const name = new URLSearchParams(location.search).get('page')
const chat = ws.link('wss://example.com/chat/:room')
globalThis.chat = chat
globalThis.ended = []
const proxied = ws.link('${real}/proxied')
export const handlers = [
  chat.addEventListener('connection', ({ client, params, info }) => {
    client.send('${version} of ' + name + ' in ' + params.room)
    client.addEventListener('message', ({ data }) => {
      if (data === 'bye') client.close(4000, 'as you wish')
      else client.send(data)
    })
    client.addEventListener('close', ({ code, reason }) => ended.push(code + ' ' + reason))
    if (params.room === 'refused') client.close(1006)
  }),
  proxied.addEventListener('connection', ({ client, server }) => {
    server.connect()
    server.addEventListener('message', (event) => {
      if (typeof event.data !== 'string') return
      event.preventDefault()
      client.send('patched ' + event.data)
    })
  }),
]
`

/** Creates the files of the project, without its handlers. */
export const createFiles = (own: OwnKinds): Record<string, string> => ({
  'src/main.js': main(own),
  ...own.files,
  'src/module.js': `import './early.js'\n${recording}`,
  // The first import of the app's code.
  'src/early.js': `globalThis.atStart = new Promise((resolve) => {
    const socket = new WebSocket('wss://example.com/chat/early')
    socket.onmessage = ({ data }) => resolve(data)
    socket.onerror = () => resolve('error')
  })`,
  'src/shared.js': recording,
  'src/classic.js': recording,
  'src/nested.js': `
    ${checkConstructor}
    const worker = new Worker(new URL('./module.js', import.meta.url), { type: 'module' })
    worker.onmessage = ({ data }) => postMessage(data)
    onmessage = ({ data }) => worker.postMessage(data)
    postMessage('created')`,
})

/** Web workers that no tool processes. */
export const ofPublic: Readonly<Record<string, string>> = {
  'public/public.js': `onmessage = ({ data }) => (new WebSocket(data).onopen = ({ type }) => postMessage(type))`,
  'public/silent.js': 'postMessage(1)',
}
