import type { WebSocketExtension as MswExtension } from '@mswjs/interceptors/WebSocket'
import { expectTypeOf, test } from 'vitest'

import { setupServer } from '../node/setup-server.ts'
import type { WebSocketCloseEvent } from './connection-event.ts'
import type { WebSocketExtension } from './extension.ts'
import type { WebSocketData } from './message-data.ts'
import type { WebSocketClient } from './web-socket-client.ts'
import type { WebSocketHandler } from './web-socket-handler.ts'
import { ws, type WebSocketEventListener, type WebSocketHandlerConnection } from './ws.ts'

test('parameters are inferred from the URL', () => {
  ws.link('wss://example.com:8080/:room/:user?').addEventListener('connection', ({ params }) => {
    expectTypeOf(params).toEqualTypeOf<{ room: string; user?: string }>()
    // @ts-expect-error there is no such parameter
    void params.other
  })
  ws.link(/^wss:/).addEventListener('connection', ({ params }) => {
    expectTypeOf(params['anything']).toEqualTypeOf<string | readonly string[] | undefined>()
  })
})

test('a listener gets the client and the server', () => {
  const link = ws.link('wss://example.com')
  const handler = link.addEventListener('connection', ({ type, client, server, info }) => {
    expectTypeOf(type).toEqualTypeOf<'connection'>()
    expectTypeOf(info.protocols).toEqualTypeOf<string | string[] | undefined>()
    expectTypeOf(client.id).toEqualTypeOf<string>()
    expectTypeOf(client.url).toEqualTypeOf<URL>()
    expectTypeOf(client.socket).toEqualTypeOf<WebSocket>()
    client.addEventListener('message', (event) => expectTypeOf(event).toEqualTypeOf<MessageEvent<WebSocketData>>())
    client.addEventListener('close', (event) => expectTypeOf(event).toEqualTypeOf<WebSocketCloseEvent>())
    server.addEventListener('error', (event) => expectTypeOf(event).toEqualTypeOf<Event>())
    client.send(new Blob())
    // @ts-expect-error a WebSocket carries no objects
    client.send({ text: 'hello' })
    // @ts-expect-error the app's side has no error event
    client.addEventListener('error', () => {})
    // @ts-expect-error a code is a number
    client.close('1000')
    // @ts-expect-error a client has no connect()
    client.connect()
  })
  expectTypeOf(handler).toEqualTypeOf<WebSocketHandler>()
  setupServer(handler)
  // @ts-expect-error a link is not a handler
  setupServer(link)
  // @ts-expect-error a link has one event
  link.addEventListener('message', () => {})
  // @ts-expect-error a listener is a function
  link.addEventListener('connection')
  // @ts-expect-error a URL is text or a RegExp
  ws.link(new URL('wss://example.com'))
  expectTypeOf(link.clients).toEqualTypeOf<ReadonlySet<WebSocketClient>>()
})

test('messages may have types', () => {
  const link = ws.link<'ping' | 'bye', 'pong'>('wss://example.com/:room')
  link.addEventListener('connection', ({ client, server }) => {
    client.addEventListener('message', ({ data }) => expectTypeOf(data).toEqualTypeOf<'ping' | 'bye'>())
    server.addEventListener('message', ({ data }) => expectTypeOf(data).toEqualTypeOf<'pong'>())
    client.send('pong')
    server.send('ping')
    // @ts-expect-error the app does not get that
    client.send('ping')
    // @ts-expect-error the server does not get that
    server.send('pong')
  })
  link.broadcast('pong')
  // @ts-expect-error no app gets that
  link.broadcast('ping')
  // @ts-expect-error a WebSocket carries text and bytes
  ws.link<{ text: string }>('wss://example.com')
})

interface Message {
  text: string
}

test('messages of an extension', () => {
  const json: WebSocketExtension<Message, { log: string[] }> = {
    encode: (message) => JSON.stringify(message),
    decode: (data) => (typeof data === 'string' ? (JSON.parse(data) as Message) : undefined),
    extend: ({ client }) => ({ log: [client.id] }),
  }
  const link = ws.link('wss://example.com', { extensions: [json] })
  link.addEventListener('connection', ({ client, server, log }) => {
    expectTypeOf(log).toEqualTypeOf<string[]>()
    client.addEventListener('message', ({ data }) => expectTypeOf(data).toEqualTypeOf<Message>())
    server.send({ text: 'hello' })
    // @ts-expect-error a message has a text
    client.send({})
    // @ts-expect-error frames are the extension's business
    client.send('hello')
  })
  link.broadcast({ text: 'hello' })
  // @ts-expect-error an extension reads what it writes
  ws.link('wss://example.com', { extensions: [{ encode: (message: Message) => message.text }] })
})

test('an extension that was written for MSW is one', () => {
  const extension = {} as MswExtension<Message, { rooms: Set<string> }>
  ws.link('wss://example.com', { extensions: [extension] }).addEventListener('connection', ({ client, rooms }) => {
    expectTypeOf(rooms).toEqualTypeOf<Set<string>>()
    client.send({ text: 'hello' })
  })
})

test('the types of MSW’s names', () => {
  const listener: WebSocketEventListener<'connection'> = ({ client }) => client.send('hello')
  expectTypeOf<WebSocketHandlerConnection<string>['client']>().toEqualTypeOf<WebSocketClient<string, string>>()
  ws.link('wss://example.com/:room').addEventListener('connection', listener)
  function greet({ client, server }: WebSocketHandlerConnection): void {
    client.send('hello')
    server.connect()
  }
  ws.link('wss://example.com').addEventListener('connection', greet)
})
