import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

import { expect, test } from 'vitest'

/** Each in a separate process, because nothing can undo it. */
test.each([
  [
    'a frozen property',
    'Object.defineProperty(globalThis, name, { value: globalThis[name], writable: false, configurable: false })',
  ],
  [
    'a property that is only writable',
    'Object.defineProperty(globalThis, name, { value: globalThis[name], configurable: false })',
  ],
  [
    'a frozen property of the prototype',
    `const { [name]: value } = globalThis
    delete globalThis[name]
    Object.defineProperty(Object.getPrototypeOf(globalThis), name, { value, writable: false, configurable: false })`,
  ],
  [
    'a getter that nothing can change',
    'const { [name]: value } = globalThis; Object.defineProperty(globalThis, name, { get: () => value, configurable: false })',
  ],
])('fetch and WebSocket are mocked if the global is %s', async (_name, change) => {
  const script = `
    import { http, HttpResponse, ws } from '@understudy/engine'
    import { setupServer } from '@understudy/engine/node'
    for (const name of ['fetch', 'WebSocket']) {
      ${change}
    }
    const before = [fetch, WebSocket]
    const server = setupServer(
      http.get('http://api.test/user', () => HttpResponse.text('mocked response')),
      ws.link('ws://api.test/live').addEventListener('connection', ({ client }) => client.send('mocked message')),
    )
    server.listen({ onUnhandledRequest: 'error' })
    console.log(await (await fetch('http://api.test/user')).text())
    const socket = new WebSocket('ws://api.test/live')
    console.log(await new Promise((resolve) => socket.addEventListener('message', ({ data }) => resolve(data))))
    socket.close()
    server.close()
    console.log(before[0] === fetch, before[1] === WebSocket)
  `
  const args = ['--conditions=@understudy/source', '--input-type=module', '--eval', script]
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: import.meta.dirname })
  expect(stdout).toBe('mocked response\nmocked message\ntrue true\n')
})
