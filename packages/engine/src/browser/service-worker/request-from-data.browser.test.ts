import { expect, test } from 'vitest'

import { HttpResponse } from '../../core/responses/http-response.ts'
import { createRequestData } from '../testing/create-request-data.ts'
import { requestFromData, toTransfer } from './request-from-data.ts'

const decode = (body: unknown): string => new TextDecoder().decode(body as ArrayBuffer)

function receive(mode: RequestMode, headers: [string, string][]): Request {
  const { href: url } = new URL('/api/film', location.href)
  const given = createRequestData({ url, headers, mode, credentials: 'include' })
  return requestFromData(given, new AbortController().signal)
}

test('a request of a media element has the header Range', () => {
  const request = receive('no-cors', [
    ['accept', '*/*'],
    ['range', 'bytes=100-'],
  ])
  expect([...request.clone().headers]).toEqual([
    ['accept', '*/*'],
    ['range', 'bytes=100-'],
  ])
})

test('the mode of other requests stays', () => {
  expect(receive('no-cors', [['accept', 'image/*']]).mode).toBe('no-cors')
  expect(receive('cors', [['range', 'bytes=0-']]).mode).toBe('cors')
})

test.each([
  ['JSON', () => HttpResponse.json({ name: 'Ada' }), '{"name":"Ada"}'],
  ['text with letters beyond ASCII', () => HttpResponse.text('Žofie'), 'Žofie'],
  ['an empty text', () => HttpResponse.text(''), ''],
  ['a copy', () => HttpResponse.text('copied').clone(), 'copied'],
])('%s is transferred as bytes', async (_name, respond, text) => {
  const { data, transfer } = await toTransfer(respond())
  expect(data.body).toBeInstanceOf(ArrayBuffer)
  expect(transfer).toEqual([data.body])
  expect(decode(data.body)).toBe(text)
})

test.each([
  ['a stream', () => new HttpResponse(new ReadableStream())],
  ['bytes', () => HttpResponse.arrayBuffer(new Uint8Array(4))],
  ['a text with a content coding', () => HttpResponse.text('x', { headers: { 'Content-Encoding': 'gzip' } })],
  ["the platform's own response", () => new Response('text')],
])('%s is transferred as a stream', async (_name, respond) => {
  const { data } = await toTransfer(respond())
  expect(data.body).toBeInstanceOf(ReadableStream)
})

test('a response without a body has none in the message', async () => {
  const { data, transfer } = await toTransfer(new HttpResponse(null, { status: 204 }))
  expect(data.body).toBeNull()
  expect(transfer).toEqual([])
})

test('a body that a listener has read is not sent again', async () => {
  const response = HttpResponse.text('read')
  await response.text()
  const { data } = await toTransfer(response)
  expect(data.body).not.toBeInstanceOf(ArrayBuffer)
})
