/** The globals that Fetch needs and jsdom lacks. The order matters: undici reads these globals. */
const { TextDecoder, TextEncoder } = require('node:util')
const { ReadableStream, TransformStream, WritableStream } = require('node:stream/web')
const { clearImmediate } = require('node:timers')
const { MessagePort, BroadcastChannel } = require('node:worker_threads')
const { performance } = require('node:perf_hooks')

Object.defineProperties(globalThis, {
  TextDecoder: { value: TextDecoder },
  TextEncoder: { value: TextEncoder },
  ReadableStream: { value: ReadableStream },
  TransformStream: { value: TransformStream },
  WritableStream: { value: WritableStream },
  MessagePort: { value: MessagePort },
  BroadcastChannel: { value: BroadcastChannel },
  clearImmediate: { value: clearImmediate },
  performance: { value: performance, configurable: true, writable: true },
})
performance.markResourceTiming ??= () => {}

const { Blob, File } = require('node:buffer')
const { fetch, Headers, FormData, Request, Response } = require('undici')

Object.defineProperties(globalThis, {
  fetch: { value: fetch, writable: true, configurable: true },
  Blob: { value: Blob },
  File: { value: File },
  Headers: { value: Headers },
  FormData: { value: FormData },
  Request: { value: Request, configurable: true },
  Response: { value: Response, configurable: true },
})
