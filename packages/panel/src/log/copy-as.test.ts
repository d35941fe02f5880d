import { runInNewContext } from 'node:vm'

import { getResponse, http, HttpResponse } from '@understudy/engine'
import type { LoggedRequest, RequestDetails } from '@understudy/engine/inspect'
import { expect, test } from 'vitest'

import { quoteText } from '../handler-code/code-style.ts'
import { createRequest } from '../testing/create-request.ts'
import { toCurl, toFetch, toHandler, toHandlerTarget } from './copy-as.ts'

const post: LoggedRequest = createRequest('a', { method: 'POST', url: 'http://localhost/api/users', status: 201 })
const json = (text: string) => ({ type: 'application/json', size: text.length, isComplete: true, text, base64: null })
const details: RequestDetails = {
  headers: {
    request: [
      ['content-type', 'application/json'],
      ['host', 'localhost'],
    ],
    response: [],
  },
  bodies: { request: json(`{"name":"O'Neil"}`), response: json('{"id":1}') },
  frames: [],
}

test('a request is copied as a command of curl, quoted for the shell', () => {
  expect(toCurl(post, details)).toBe(
    `curl 'http://localhost/api/users' \\\n  -X POST \\\n  -H 'content-type: application/json' \\\n` +
      `  --data-raw '{"name":"O'\\''Neil"}'`,
  )
  expect(toCurl(createRequest('b', { url: 'http://localhost/' }), null)).toBe("curl 'http://localhost/'")
})

test.each<[string, Partial<LoggedRequest>, RequestDetails['headers'], string]>([
  [
    'a URL with brackets, which curl would expand',
    { url: 'http://localhost/?filter[name]=a&ids={1,2}' },
    null,
    "curl -g 'http://localhost/?filter[name]=a&ids={1,2}'",
  ],
  [
    'HEAD, after which curl would wait for a body',
    { method: 'HEAD', url: 'http://localhost/' },
    null,
    "curl 'http://localhost/' \\\n  -I",
  ],
  [
    'an empty header, which curl would leave out',
    { url: 'http://localhost/' },
    { request: [['x-empty', '']], response: [] },
    "curl 'http://localhost/' \\\n  -H 'x-empty;'",
  ],
])('a command of curl sends the same request: %s', (_, given, headers, command) => {
  expect(toCurl(createRequest('b', given), { ...details, headers, bodies: { request: null, response: null } })).toBe(
    command,
  )
})

test.each(['A|id', '`id`', "A'id", 'A&B'])('the method %s does not become a command of the shell', (method) => {
  const quoted = `'${method.replaceAll("'", `'\\''`)}'`
  expect(toCurl(createRequest('b', { method, url: 'http://localhost/' }), null)).toBe(
    `curl 'http://localhost/' \\\n  -X ${quoted}`,
  )
})

test('a request is copied as a call of fetch', () => {
  expect(toFetch(createRequest('b', { url: 'http://localhost/' }), null)).toBe('await fetch("http://localhost/")')
  expect(toFetch(post, details)).toContain('"method": "POST"')
  expect(toFetch(post, details)).toContain(JSON.stringify(`{"name":"O'Neil"}`))
})

test.each<[string, Partial<LoggedRequest>, string | null, string, string]>([
  [
    'of the page',
    {},
    '{"id":1}',
    'application/json',
    `http.post('/api/users', () => HttpResponse.json({\n  "id": 1\n}, { status: 201 })),`,
  ],
  [
    'of another origin',
    { url: 'https://api.test/a?b=1' },
    null,
    '',
    `http.post('https://api.test/a', () => new HttpResponse(null, { status: 201 })),`,
  ],
  [
    'of GraphQL',
    { name: 'query GetUser', status: 200 },
    '{"data":{}}',
    'application/json',
    `graphql.query('GetUser', () => HttpResponse.json({\n  "data": {}\n})),`,
  ],
  [
    'with a part of its body',
    { status: 200 },
    '{"id":',
    'application/json',
    `http.post('/api/users', () => HttpResponse.text("{\\"id\\":", { headers: { 'Content-Type': "application/json" } })),`,
  ],
  [
    'of JSON with a number that JavaScript cannot represent',
    {},
    '{"id":12345678901234567890}',
    'application/json',
    `http.post('/api/users', () => HttpResponse.text("{\\"id\\":12345678901234567890}", { status: 201, headers: { 'Content-Type': "application/json" } })),`,
  ],
  [
    'of JSON with long numbers that JavaScript can represent',
    { status: 200 },
    '{"at":173279999912345,"ratio":0.12345678901234568,"id":"12345678901234567890"}',
    'application/json',
    `http.post('/api/users', () => HttpResponse.json({\n  "at": 173279999912345,\n  "ratio": 0.12345678901234568,\n  "id": "12345678901234567890"\n})),`,
  ],
  [
    'of HTML',
    { status: 200 },
    '<p>',
    'text/html; charset=utf-8',
    `http.post('/api/users', () => HttpResponse.html("<p>")),`,
  ],
])('a response %s is copied as a handler', (_, given, text, type, handler) => {
  const response = text === null ? null : { type, size: text.length, isComplete: true, text, base64: null }
  const bodies = { request: null, response }
  expect(toHandler({ ...post, ...given }, { ...details, bodies }, 'http://localhost/page')).toBe(handler)
})

test('a response of bytes is copied as a handler that answers with them', async () => {
  const response = { type: 'image/png', size: 2, isComplete: true, text: null, base64: 'AP8=' }
  const code = toHandler(post, { ...details, bodies: { request: null, response } }, 'http://localhost/')
  expect(code).toBe(
    `http.post('/api/users', () => HttpResponse.arrayBuffer(Uint8Array.from(atob('AP8='), (char) => char.charCodeAt(0)), { status: 201, headers: { 'Content-Type': "image/png" } })),`,
  )
  const resolver = code.slice(code.indexOf('() =>'), -2)
  const answer = runInNewContext(`(${resolver})()`, { HttpResponse, Uint8Array, atob }) as Response
  expect([...new Uint8Array(await answer.arrayBuffer())]).toEqual([0, 255])
})

test('a body with the name of a prototype is copied with all of its members', async () => {
  const text = '{"__proto__":{"a":1},"b":[{"__proto__":"\\n  \\"__proto__\\": 1"}]}'
  const response = { type: 'application/json', size: text.length, isComplete: true, text, base64: null }
  const code = toHandler(post, { ...details, bodies: { request: null, response } }, null)
  const literal = code.slice(code.indexOf('json(') + 'json('.length, code.lastIndexOf(', { status'))
  const url = `data:text/javascript,${encodeURIComponent(`export default ${literal}`)}`
  const { default: value } = (await import(/* @vite-ignore */ url)) as { default: unknown }
  expect(JSON.stringify(value)).toBe(JSON.stringify(JSON.parse(text)))
})

test.each([
  '//api/users',
  '/items(5)',
  '/items(open',
  '/users:search',
  '/a*b',
  '/a+b',
  "/it's",
  '/a%5Cb',
  '/a%20b',
  '/%E4',
])('the handler of %s answers its request, and no other', async (path) => {
  const url = `http://localhost:8080${path}`
  for (const pageUrl of ['http://localhost:8080/app', null]) {
    const { target } = toHandlerTarget({ method: 'GET', url, name: null }, pageUrl)
    const handlers = [http.get(target, () => HttpResponse.text('mock'))]
    const ask = (asked: string) => getResponse(handlers, new Request(asked), { baseUrl: 'http://localhost:8080/' })
    expect((await ask(url))?.status).toBe(200)
    expect(await ask(url.replace(/.$/, 'other'))).toBe(undefined)
  }
  const code = toHandler(createRequest('1', { url, status: 200 }), null, null)
  const target = toHandlerTarget({ method: 'GET', url, name: null }, null).target
  expect(code).toBe(`http.get(${quoteText(target, "'")}, () => new HttpResponse(null)),`)
})
