import { describe, expect, onTestFinished, test, vi } from 'vitest'

import { next, record } from './testing/record.ts'
import { chat, listen } from './testing/ws-handlers.ts'
import { createReplacement } from './web-socket-class.ts'
import { ws } from './ws.ts'

describe('binary messages', () => {
  const bytes = Uint8Array.of(1, 2, 250)

  test.each([
    ['an ArrayBuffer', bytes.buffer],
    ['a typed array', bytes],
    ['a part of a buffer', Uint8Array.of(0, 1, 2, 250, 9).subarray(1, 4)],
    ['a DataView', new DataView(bytes.buffer)],
    ['a Blob', new Blob([bytes])],
  ])('%s reaches an app as its binaryType says', async (_name, data) => {
    listen(
      chat.addEventListener('connection', ({ client }) => {
        client.send(data)
        client.send('after')
        client.close()
      }),
    )
    const blob = record('wss://example.com/chat/5')
    const buffer = record('wss://example.com/chat/5', [], 'arraybuffer')
    await Promise.all([blob.closed, buffer.closed])
    expect(blob.events[1]).toBeInstanceOf(Blob)
    expect(new Uint8Array(await (blob.events[1] as Blob).arrayBuffer())).toEqual(bytes)
    expect(buffer.events[1]).toBeInstanceOf(ArrayBuffer)
    expect(new Uint8Array(buffer.events[1] as ArrayBuffer)).toEqual(bytes)
    // Reading a Blob takes time. Later messages still arrive after it.
    expect([blob.events[2], buffer.events[2]]).toEqual(['after', 'after'])
  })

  test('a handler gets a copy of the message at the time of send()', async () => {
    const received: unknown[] = []
    listen(
      chat.addEventListener('connection', ({ client }) => {
        client.addEventListener('message', ({ data }) => received.push(data))
      }),
    )
    const { socket, closed } = record('wss://example.com/chat/5')
    await next(socket, 'open')
    const changing = Uint8Array.of(1, 2)
    const blob = new Blob(['text'])
    socket.send(changing)
    socket.send(changing.buffer)
    socket.send(Float32Array.of(1.5))
    socket.send(blob)
    changing[0] = 9
    expect(socket.bufferedAmount).toBe(2 + 2 + 4 + 4)
    socket.close()
    await closed
    expect(received).toEqual([Uint8Array.of(1, 2), Uint8Array.of(1, 2).buffer, Float32Array.of(1.5), blob])
    expect(socket.bufferedAmount).toBe(0)
  })
})

describe('like the platform', () => {
  test('the socket is a WebSocket', async () => {
    const { native } = listen(chat.addEventListener('connection', () => {}))
    const { socket } = record(new URL('https://example.com/chat/5'))
    expect(socket).toBeInstanceOf(WebSocket)
    expect(socket).toBeInstanceOf(native)
    expect(socket).toBeInstanceOf(EventTarget)
    expect(socket.url).toBe('wss://example.com/chat/5')
    expect([socket.readyState, socket.CONNECTING, WebSocket.OPEN, socket.CLOSING, WebSocket.CLOSED]).toEqual([
      0, 0, 1, 2, 3,
    ])
    expect([socket.extensions, socket.protocol, socket.binaryType, socket.bufferedAmount]).toEqual(['', '', 'blob', 0])
    expect(WebSocket.name).toBe('WebSocket')
    await next(socket, 'open')
    expect(socket.readyState).toBe(WebSocket.OPEN)
  })

  test('a class that extends it overrides its methods', async () => {
    const received: unknown[] = []
    const { native } = listen(
      chat.addEventListener('connection', ({ client }) => {
        client.addEventListener('message', ({ data }) => received.push(data))
      }),
    )
    class JsonSocket extends WebSocket {
      readonly label = 'mine'
      override send(data: unknown): void {
        super.send(JSON.stringify(data))
      }
    }
    const socket = new JsonSocket('wss://example.com/chat/5')
    expect(socket).toBeInstanceOf(JsonSocket)
    expect(socket).toBeInstanceOf(native)
    expect(record('wss://example.com/chat/5').socket).not.toBeInstanceOf(JsonSocket)
    expect(socket.label).toBe('mine')
    await next(socket, 'open')
    socket.send({ a: 1 })
    socket.close()
    await next(socket, 'close')
    expect(received).toEqual(['{"a":1}'])
  })

  describe('next to code that replaced its classes', () => {
    test.each(['a subclass', 'the prototype'])('dispatchEvent() of %s', async (where) => {
      const original = WebSocket
      // Runs after listen() has ended.
      onTestFinished(() => {
        globalThis.WebSocket = original
        Reflect.deleteProperty(original.prototype, 'dispatchEvent')
      })
      const types: string[] = []
      if (where === 'a subclass') {
        globalThis.WebSocket = class extends WebSocket {
          override dispatchEvent(event: Event): boolean {
            types.push(event.type)
            return super.dispatchEvent(event)
          }
        }
      } else {
        original.prototype.dispatchEvent = function (event) {
          types.push(event.type)
          return EventTarget.prototype.dispatchEvent.call(this, event)
        }
      }
      listen(
        chat.addEventListener('connection', ({ client }) => {
          client.send('Hello')
          client.close()
        }),
      )
      const { socket, events, closed } = record('wss://example.com/chat/5')
      expect([socket.url, socket.readyState]).toEqual(['wss://example.com/chat/5', 0])
      await closed
      expect(events).toEqual(['open 1', 'Hello', 'close 1000  clean'])
      expect(types).toEqual(['open', 'message', 'close'])
    })

    test.each([
      ['a class without events', class {}],
      ['a mock', vi.fn<() => void>()],
      [
        'a class of events without a base',
        class {
          dispatchEvent(): boolean {
            return true
          }
        },
      ],
    ])('%s keeps the members of all objects', (_name, Class) => {
      const replacement = createReplacement(Class as unknown as typeof WebSocket, () => undefined)
      expect(Reflect.ownKeys(replacement.prototype)).toEqual(['constructor'])
    })

    test('a class without EventTarget delegates the members of each of its bases', () => {
      class Emitter {
        get readyState(): number {
          return 3
        }
        addEventListener(): void {}
        removeEventListener(): void {}
      }
      class Socket extends Emitter {
        send(): string {
          return 'native'
        }
        dispatchEvent(): boolean {
          return true
        }
      }
      const native = Socket as unknown as typeof WebSocket
      const Replacement = createReplacement(native, () => ({ readyState: 1, send: () => 'mocked' }))
      const socket = new Replacement('wss://example.com')
      expect([socket.readyState, socket.send('')]).toEqual([1, 'mocked'])
      expect(Object.keys(Object.getOwnPropertyDescriptors(Replacement.prototype)).toSorted()).toEqual([
        'constructor',
        'readyState',
        'send',
      ])
    })
  })

  test('handlers on attributes are called, replaced and removed', async () => {
    listen(
      chat.addEventListener('connection', ({ client }) => {
        client.send('one')
        client.send('two')
        client.close()
      }),
    )
    const { socket, closed } = record('wss://example.com/chat/5')
    const log: unknown[] = []
    expect(socket.onmessage).toBeNull()
    socket.onopen = function (event) {
      log.push([event.type, this === socket])
    }
    socket.onmessage = () => {
      log.push('first')
      socket.onmessage = ({ data }) => log.push(['second', data])
    }
    socket.onerror = () => log.push('error')
    socket.onclose = () => log.push('close')
    socket.onclose = null
    await closed
    expect(log).toEqual([['open', true], 'first', ['second', 'two']])
  })

  test('invalid messages are refused', async () => {
    listen(chat.addEventListener('connection', () => {}))
    const { socket, events, closed } = record('wss://example.com/chat/5')
    expect(() => socket.send('early')).toThrow(expect.objectContaining({ name: 'InvalidStateError' }))
    await next(socket, 'open')
    // @ts-expect-error an argument is missing
    expect(() => socket.send()).toThrow(TypeError)
    for (const code of [0, 999, 1001, 2999, 5000, Number.NaN]) {
      expect(() => socket.close(code)).toThrow(expect.objectContaining({ name: 'InvalidAccessError' }))
    }
    expect(() => socket.close(1000, 'ä'.repeat(62))).toThrow(expect.objectContaining({ name: 'SyntaxError' }))
    expect(socket.readyState).toBe(WebSocket.OPEN)
    socket.close(1000, 'ä'.repeat(61))
    await closed
    socket.send('late')
    expect(socket.bufferedAmount).toBe(4)
    expect(events).toHaveLength(2)
  })

  test('an object is converted to a string', async () => {
    const received: unknown[] = []
    listen(
      chat.addEventListener('connection', ({ client }) => {
        client.addEventListener('message', ({ data }) => received.push(data))
      }),
    )
    const { socket, closed } = record('wss://example.com/chat/5')
    await next(socket, 'open')
    // @ts-expect-error what JavaScript lets through
    socket.send({ a: 1 })
    // @ts-expect-error what JavaScript lets through
    socket.send(5)
    socket.send('half \ud83d')
    socket.close()
    await closed
    expect(received).toEqual(['[object Object]', '5', 'half \ufffd'])
  })

  test.each([
    ['no URL', ['wss://[']],
    ['another scheme', ['ftp://example.com/chat/5']],
    ['a fragment', ['wss://example.com/chat/5#part']],
    ['a protocol twice', ['wss://example.com/chat/5', ['a', 'a']]],
    ['an invalid protocol', ['wss://example.com/chat/5', 'no spaces']],
    ['no argument', []],
  ])('refuses %s in its own words', (_name, args) => {
    const { native } = listen(ws.link('*').addEventListener('connection', () => {}))
    const attempt = (Class: typeof WebSocket): unknown => {
      try {
        return Reflect.construct(Class, args)
      } catch (error) {
        return error
      }
    }
    expect(attempt(WebSocket)).toEqual(attempt(native))
    expect(attempt(WebSocket)).toBeInstanceOf(Error)
  })

  test('a close is an event where the platform has no CloseEvent too (Node 22)', async () => {
    vi.stubGlobal('CloseEvent', undefined)
    listen(chat.addEventListener('connection', ({ client }) => client.close(4000, 'done')))
    const { events, closed } = record('wss://example.com/chat/5')
    await closed
    vi.unstubAllGlobals()
    expect(events).toEqual(['open 1', 'close 4000 done clean'])
  })

  test('an unknown binaryType is ignored', () => {
    listen(chat.addEventListener('connection', () => {}))
    const { socket } = record('wss://example.com/chat/5')
    socket.binaryType = 'arraybuffer'
    // @ts-expect-error there is no such type
    socket.binaryType = 'text'
    expect(socket.binaryType).toBe('arraybuffer')
  })
})
