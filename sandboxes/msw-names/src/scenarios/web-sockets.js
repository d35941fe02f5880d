/** WebSocket connections, mocked and real. */

/** Opens a socket and records its events until none has occurred for some time. */
async function watch(url, act = () => {}) {
  const log = []
  let last = performance.now()
  const limit = last + 2000
  const note = (text) => {
    last = performance.now()
    log.push(text)
  }
  const socket = new WebSocket(url)
  socket.addEventListener('open', () => {
    note('open')
    act(socket, log)
  })
  socket.addEventListener('message', ({ data }) => note(`message ${data}`))
  socket.addEventListener('error', () => note('error'))
  socket.addEventListener('close', ({ code, reason, wasClean }) => note(`close ${code} ${reason} ${wasClean}`))
  // A busy machine takes longer for the first event.
  const isDone = () => performance.now() - last > (log.length === 0 ? 1000 : 150) || performance.now() > limit
  while (!isDone()) await new Promise((resolve) => setTimeout(resolve, 20))
  log.push(`state ${socket.readyState}`)
  // Events that closing it adds are not part of the outcome.
  const outcome = [...log]
  socket.close()
  return outcome
}

const address = 'wss://chat.example.com'

export const scenarios = {
  'messages that the connection listener sends': async ({ ws, listen }) => {
    listen([
      ws.link(address).addEventListener('connection', ({ client }) => {
        client.send('first')
        client.send('second')
        queueMicrotask(() => client.send('third'))
      }),
    ])
    return watch(address)
  },
  'an echo, and the order of messages': async ({ ws, listen }) => {
    listen([
      ws.link(address).addEventListener('connection', ({ client }) => {
        client.addEventListener('message', ({ data }) => client.send(`got ${data}`))
      }),
    ])
    return watch(address, (socket) => {
      socket.send('1')
      socket.send('2')
    })
  },
  'two handlers of one address': async ({ ws, listen }) => {
    const link = ws.link(address)
    listen([
      link.addEventListener('connection', ({ client }) => client.send('one')),
      link.addEventListener('connection', ({ client }) => client.send('two')),
    ])
    return watch(address)
  },
  'a handler that is used later': async ({ ws, listen }) => {
    const link = ws.link(address)
    const server = listen([link.addEventListener('connection', ({ client }) => client.send('initial'))])
    server.use(link.addEventListener('connection', ({ client }) => client.send('used')))
    return watch(address)
  },
  'client.close()': async ({ ws, listen }) => {
    listen([ws.link(address).addEventListener('connection', ({ client }) => client.close())])
    return watch(address)
  },
  'client.close() with a code': async ({ ws, listen }) => {
    listen([ws.link(address).addEventListener('connection', ({ client }) => client.close(3000, 'bye'))])
    return watch(address)
  },
  'client.close() after a message': async ({ ws, listen }) => {
    listen([
      ws.link(address).addEventListener('connection', ({ client }) => {
        client.send('last')
        client.close(1003)
      }),
    ])
    return watch(address)
  },
  'the app closes': async ({ ws, listen }) => {
    const log = []
    listen([
      ws.link(address).addEventListener('connection', ({ client }) => {
        client.addEventListener('close', ({ code, reason }) => log.push(`handler: close ${code} ${reason}`))
      }),
    ])
    return [...(await watch(address, (socket) => socket.close(3001, 'enough'))), ...log]
  },
  'the app closes without a code': async ({ ws, listen }) => {
    listen([ws.link(address).addEventListener('connection', () => {})])
    return watch(address, (socket) => socket.close())
  },
  'what a connection listener gets': async ({ ws, listen }) => {
    let got
    listen([
      ws.link('wss://chat.example.com/:room').addEventListener('connection', ({ client, params, info }) => {
        got = { url: String(client.url), id: typeof client.id, params, protocols: info?.protocols ?? null }
      }),
    ])
    const socket = new WebSocket('wss://chat.example.com/lobby?a=1', ['one', 'two'])
    await new Promise((resolve) => setTimeout(resolve, 30))
    return { got, protocol: socket.protocol, binaryType: socket.binaryType, url: socket.url }
  },
  'broadcast and clients': async ({ ws, listen }) => {
    const link = ws.link(address)
    listen([
      link.addEventListener('connection', ({ client }) => {
        client.addEventListener('message', ({ data }) => {
          if (data === 'all') link.broadcast(`to all of ${link.clients.size}`)
          else link.broadcastExcept(client, 'to others')
        })
      }),
    ])
    const first = watch(address, (socket) => setTimeout(() => socket.send('all'), 10))
    const second = watch(address, (socket) => setTimeout(() => socket.send('others'), 20))
    return Promise.all([first, second])
  },
  'the real server': async ({ ws, listen, real }) => {
    const url = real.replace('http', 'ws')
    listen([
      ws.link(`${url}/*`).addEventListener('connection', ({ server }) => {
        server.connect()
      }),
    ])
    return watch(`${url}/a`, (socket) => socket.send('x'))
  },
  'the real server, messages changed on the way': async ({ ws, listen, real }) => {
    const url = real.replace('http', 'ws')
    listen([
      ws.link(`${url}/*`).addEventListener('connection', ({ client, server }) => {
        server.connect()
        client.addEventListener('message', (event) => {
          event.preventDefault()
          server.send(`changed ${event.data}`)
        })
        server.addEventListener('message', (event) => {
          if (event.data === 'greeting') {
            event.preventDefault()
            client.send('another greeting')
          }
        })
      }),
    ])
    return watch(`${url}/a`, (socket) => socket.send('x'))
  },
  'server.send without connect': async ({ ws, listen }) => {
    let thrown
    listen([
      ws.link(address).addEventListener('connection', ({ server }) => {
        try {
          server.send('x')
        } catch (error) {
          thrown = error instanceof Error
        }
      }),
    ])
    await watch(address)
    return thrown ?? 'no error'
  },
  'a connection listener that throws': async ({ ws, listen }) => {
    listen([
      ws.link(address).addEventListener('connection', () => {
        throw new Error('mine')
      }),
    ])
    return watch(address)
  },
  'a message listener that throws': async ({ ws, listen }) => {
    listen([
      ws.link(address).addEventListener('connection', ({ client }) => {
        client.addEventListener('message', () => {
          throw new Error('mine')
        })
      }),
    ])
    return watch(address, (socket) => socket.send('x'))
  },
  'a broadcast in the connection listener': async ({ ws, listen }) => {
    const link = ws.link(address)
    listen([link.addEventListener('connection', () => link.broadcast(`${link.clients.size} clients`))])
    return watch(address)
  },
  ...Object.fromEntries(
    ['bypass', 'warn', 'error'].map((strategy) => [
      `an unhandled connection, strategy ${strategy}`,
      async ({ ws, listen, real, printed }) => {
        listen([ws.link(address).addEventListener('connection', () => {})], strategy)
        const log = await watch(`${real.replace('http', 'ws')}/a`, (socket) => socket.send('x'))
        return { log, printed: printed().map(([method]) => method) }
      },
    ]),
  ),
  'binary messages': async ({ ws, listen }) => {
    listen([
      ws.link(address).addEventListener('connection', ({ client }) => {
        client.addEventListener('message', ({ data }) => client.send(data))
      }),
    ])
    const kinds = []
    await watch(address, (socket) => {
      socket.binaryType = 'arraybuffer'
      socket.addEventListener('message', ({ data }) => kinds.push(data.constructor.name))
      socket.send(new Uint8Array([1]))
      socket.send(new Blob(['a']))
      socket.send('a')
    })
    return kinds
  },
}
