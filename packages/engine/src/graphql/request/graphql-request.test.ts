import { parse } from 'graphql'
import { afterEach, beforeEach, describe, expect, test, vi, type MockInstance } from 'vitest'

import { getResponse } from '../../core/network/get-response.ts'
import { HttpResponse } from '../../core/responses/http-response.ts'
import { graphql } from '../graphql.ts'
import { ask, endpoint, get, post } from '../testing/graphql-request.ts'

const query = 'query GetUser($id: ID!) { user(id: $id) }'
const variables = { id: '5' }

/** Answers with the arguments of its resolver. */
const mirror = graphql.operation(({ query: text, operationType, operationName, variables: given, extensions }) =>
  HttpResponse.json({ data: { query: text, operationType, operationName, variables: given, extensions } }),
)
const told = { data: { query, operationType: 'query', operationName: 'GetUser', variables, extensions: {} } }

let warn: MockInstance<typeof console.warn>
beforeEach(() => {
  warn = vi.spyOn(console, 'warn').mockReturnValue()
})
afterEach(() => {
  warn.mockRestore()
})
const warnings = (): unknown[] => warn.mock.calls.map(([message]) => message as unknown)

function send(type: string, body: BodyInit, search = ''): Request {
  return new Request(endpoint + search, { method: 'POST', headers: type ? { 'Content-Type': type } : {}, body })
}

/** Counts the copies of requests, which are the most expensive step. */
class CountedRequest extends Request {
  static clones = 0
  override clone(): CountedRequest {
    CountedRequest.clones += 1
    // Do not count copies of a request that a handler got.
    const clone = super.clone()
    return Object.setPrototypeOf(clone, CountedRequest.prototype) as CountedRequest
  }
}

describe('one operation', () => {
  const json = JSON.stringify({ query, variables, operationName: 'GetUser' })

  test.each<[string, () => Request]>([
    ['GET', () => get({ query, variables: JSON.stringify(variables), operationName: 'GetUser' })],
    ['JSON', () => send('application/json; charset=utf-8', json)],
    ['the JSON of graphql-response', () => send('application/graphql-response+json', json)],
    ['JSON without a type', () => send('', new Blob([json]))],
    ['JSON as plain text', () => send('text/plain', json)],
    ['variables as a text', () => post({ query, variables: JSON.stringify(variables) })],
    ['a document', () => send('application/graphql', query, `?variables=${JSON.stringify(variables)}`)],
    ['an urlencoded form', () => send('', new URLSearchParams({ query, variables: JSON.stringify(variables) }))],
  ])('%s', async (_title, request) => {
    expect(await ask(mirror, request())).toEqual(told)
  })

  test.each([{ variables: null }, { variables: undefined }, {}, { operationName: '', extensions: null }])(
    'nothing stands for no variables, no name, no extensions: %o',
    async (fields) => {
      expect(await ask(mirror, post({ query: '{ a }', ...fields }))).toEqual({
        data: { query: '{ a }', operationType: 'query', operationName: '', variables: {}, extensions: {} },
      })
    },
  )

  test('is selected by its name if the document has several', async () => {
    const document = 'query A { a } mutation B { b } query C { c }'
    const name = graphql.operation(({ operationType, operationName }) =>
      HttpResponse.json({ data: { is: `${operationType} ${operationName}` } }),
    )
    expect(await ask(name, post({ query: document, operationName: 'B' }))).toEqual({ data: { is: 'mutation B' } })
    expect(await ask(name, post({ query: document, operationName: 'C' }))).toEqual({ data: { is: 'query C' } })
    expect(await ask(name, post({ query: document }))).toEqual({ data: { is: 'query A' } })
    expect(
      await ask(
        graphql.mutation('B', () => HttpResponse.json({ data: { is: 1 } })),
        post({ query: document, operationName: 'B' }),
      ),
    ).toEqual({ data: { is: 1 } })
  })

  test('its variables reach no prototype', async () => {
    const request = send('application/json', `{"query":"{ a }","variables":{"__proto__":{"polluted":true},"a":1}}`)
    const response = await getResponse([mirror], request)
    expect(await response?.text()).toContain('"variables":{"__proto__":{"polluted":true},"a":1}')
    expect({}).not.toHaveProperty('polluted')
  })

  test('is read once, independent of the number of handlers', async () => {
    const clonesFor = async (count: number): Promise<number> => {
      CountedRequest.clones = 0
      const handlers = Array.from({ length: count }, (_, index) =>
        graphql.query(new RegExp(`Other${index}`), () => undefined),
      )
      await getResponse(handlers, new CountedRequest(post('query GetUser { a }')))
      return CountedRequest.clones
    }
    const once = await clonesFor(1)
    expect(once).toBeGreaterThan(0)
    expect(await clonesFor(100)).toBe(once)
  })

  test('no copy is made for a resolver that does not ask for the request', async () => {
    const clonesFor = async (resolver: Parameters<typeof graphql.operation>[0]): Promise<number> => {
      CountedRequest.clones = 0
      await getResponse([graphql.operation(resolver)], new CountedRequest(post('query GetUser { a }')))
      return CountedRequest.clones
    }
    const answer = () => HttpResponse.json({ data: {} })
    const without = await clonesFor(answer)
    expect(await clonesFor(({ query: text }) => HttpResponse.json({ data: { text } }))).toBe(without)
    expect(await clonesFor(({ request }) => HttpResponse.json({ data: { url: request.url } }))).toBe(without + 1)
  })
})

describe('uploads', () => {
  const uploadOf = (operations: unknown, map: unknown, files: Record<string, string> = {}): Request => {
    const form = new FormData()
    form.append('operations', typeof operations === 'string' ? operations : JSON.stringify(operations))
    if (map !== undefined) form.append('map', typeof map === 'string' ? map : JSON.stringify(map))
    for (const [name, text] of Object.entries(files)) form.append(name, new File([text], `${name}.txt`))
    return new Request(endpoint, { method: 'POST', body: form })
  }
  const document = 'mutation Upload($files: [Upload!]!, $note: Note) { upload(files: $files) }'
  const upload = graphql.mutation('Upload', async ({ variables: given }) => {
    const { files, note } = given as { files: File[]; note?: { file: File } }
    const all = [...files, ...(note ? [note.file] : [])]
    const texts = await Promise.all(all.map(async (file) => `${file.name} ${await file.text()}`))
    return HttpResponse.json({ data: { texts } })
  })

  test('files are at the paths of the map', async () => {
    const request = uploadOf(
      { query: document, variables: { files: [null, null], note: { file: null } } },
      { 0: ['variables.files.0'], 1: ['variables.files.1', 'variables.note.file'] },
      { 0: 'first', 1: 'second' },
    )
    expect(await ask(upload, request)).toEqual({ data: { texts: ['0.txt first', '1.txt second', '1.txt second'] } })
  })

  test('batches have files too', async () => {
    const request = uploadOf(
      [
        { query: document, variables: { files: [null] } },
        { query: document, variables: { files: [null] } },
      ],
      { a: ['0.variables.files.0'], b: ['1.variables.files.0'] },
      { a: 'first', b: 'second' },
    )
    expect(await ask(upload, request)).toEqual([
      { data: { texts: ['a.txt first'] } },
      { data: { texts: ['b.txt second'] } },
    ])
  })

  test('without a map, it is an operation like others', async () => {
    expect(await ask(mirror, uploadOf({ query, variables }, undefined))).toEqual(told)
  })

  const operation = { query: document, variables: { files: [null] } }
  test.each<[unknown, unknown, string]>([
    ['{', {}, 'its multipart field "operations" is not JSON'],
    ['5', {}, 'its multipart field "operations" is neither an operation nor an array of them'],
    [operation, '{', 'its multipart field "map" is not JSON'],
    [operation, [], 'its multipart map is not an object'],
    [operation, { 0: 'variables.files.0' }, 'its multipart map maps "0" to a value that is not an array of paths'],
    [
      operation,
      { 1: ['variables.files.0'] },
      'its multipart map names the file "1", which is not a part of the request',
    ],
    [operation, { 0: ['variables.file'] }, 'its multipart map puts a file at "variables.file"'],
    [operation, { 0: ['variables.files.5'] }, 'its multipart map puts a file at "variables.files.5"'],
    [operation, { 0: ['variables.files.length'] }, 'its multipart map puts a file at "variables.files.length"'],
    [operation, { 0: ['__proto__.polluted'] }, 'its multipart map puts a file at "__proto__.polluted"'],
    [operation, { 0: ['variables.constructor.prototype.polluted'] }, 'its multipart map puts a file at'],
    [operation, { 0: ['__proto__.toString'] }, 'its multipart map puts a file at "__proto__.toString"'],
    [operation, { 0: [''] }, 'its multipart map puts a file at ""'],
  ])('a broken one is reported, and passes: %#', async (operations, map, problem) => {
    expect(await ask(upload, uploadOf(operations, map, { 0: 'text' }))).toBeUndefined()
    expect(warnings()).toEqual([
      expect.stringContaining(`Failed to answer the GraphQL request POST ${endpoint}: ${problem}`),
    ])
    expect({}).not.toHaveProperty('polluted')
    expect({}.toString).toBeTypeOf('function')
  })
})

describe('persisted documents', () => {
  const extensions = { persistedQuery: { version: 1, sha256Hash: 'abc' } }

  test.each<[string, object | string]>([
    ['a text', query],
    ['a typed document string', Object.assign(Object(query) as object, { __apiType: undefined })],
    ['a DocumentNode', parse(query)],
    ['a DocumentNode without its source', parse(query, { noLocation: true })],
  ])('a hash stands for %s of the given map', async (_title, document) => {
    const api = graphql.link(endpoint, { persisted: { abc: document } })
    const handler = api.query('GetUser', ({ query: text, variables: given }) =>
      HttpResponse.json({ data: { text: text.replaceAll(/\s+/g, ' ').trim(), given } }),
    )
    const answer = { data: { text: query, given: variables } }
    expect(await ask(handler, post({ extensions, variables }))).toEqual(answer)
    expect(await ask(handler, get({ extensions: JSON.stringify(extensions), variables: '{"id":"5"}' }))).toEqual(answer)
    expect(await ask(handler, post({ documentId: 'abc', variables }))).toEqual(answer)
    expect(await ask(handler, post({ doc_id: 'abc', variables }))).toEqual(answer)
  })

  test('a sent document has precedence over one of the map', async () => {
    const handler = graphql
      .link('*', { persisted: { abc: query } })
      .operation(({ operationName }) => HttpResponse.json({ data: { is: operationName } }))
    expect(await ask(handler, post({ query: 'query Sent { a }', extensions }))).toEqual({ data: { is: 'Sent' } })
  })

  test('a hash that no map contains is matched by the sent operation name', async () => {
    const handlers = [
      graphql.mutation('Login', () => HttpResponse.json({ data: { is: 1 } })),
      graphql.query('GetUser', () => HttpResponse.json({ data: { is: 2 } })),
    ]
    expect(await ask(handlers, post({ extensions, operationName: 'Login' }))).toEqual({ data: { is: 1 } })
    expect(await ask(handlers, post({ extensions, operationName: 'GetUser' }))).toEqual({ data: { is: 2 } })
  })

  test.each(['__proto__', 'constructor', 'unknown'])(
    'a hash that is not in the map is reported: "%s"',
    async (hash) => {
      const handler = graphql
        .link(endpoint, { persisted: { abc: query } })
        .query('GetUser', () => HttpResponse.json({}))
      expect(await ask(handler, post({ extensions: { persistedQuery: { sha256Hash: hash } } }))).toBeUndefined()
      expect(warnings()).toEqual([
        expect.stringContaining('no handler has the persisted document that it names. Pass it'),
      ])
    },
  )

  test.each([
    [5, 'it is the number 5. Pass the text of a document, or a DocumentNode.'],
    ['GetUser', 'it is the string "GetUser"'],
    ['query {', 'it is malformed: expected a name, found the end at line 1, column 8'],
  ])('a map that holds none gets a clear error: %o', (document, message) => {
    expect(() => graphql.link(endpoint, { persisted: { abc: document as string } })).toThrow(
      `Failed to read the persisted document "abc": ${message}`,
    )
  })
})

describe('the reason why no handler answers is printed once, and the request passes', () => {
  const handlers = ['A', 'B', 'C'].map((name) => graphql.query(name, () => HttpResponse.json({})))
  const linked = [graphql.link(endpoint).query('A', () => HttpResponse.json({}))]

  test.each<[string, () => Request, string, typeof handlers?]>([
    [
      'a malformed document',
      () => post('query A { a'),
      'its document is malformed: expected a name, found the end at line 1, column 12.',
    ],
    ['the same by GET', () => get({ query: 'query A { a' }), 'its document is malformed'],
    ['a document without an operation', () => post('fragment F on T { a }'), 'its document has no operation.'],
    [
      'a name that the document has not',
      () => post({ query: 'query A { a } query B { b }', operationName: 'C' }),
      'its document has no operation "C"; it has "A", "B".',
    ],
    [
      'a name for an anonymous operation',
      () => post({ query: '{ a }', operationName: 'A' }),
      'its document has no operation "A"; it has an anonymous one.',
    ],
    [
      'an anonymous operation',
      () => post('{ a }'),
      'its operation has no name, and handlers of named operations do not answer it. Name it, or answer it with graphql.operation().',
    ],
    [
      'variables that are not an object',
      () => post({ query: 'query A { a }', variables: [1] }),
      'its "variables" are not an object.',
    ],
    [
      'variables that are not JSON',
      () => get({ query: 'query A { a }', variables: '{' }),
      'its "variables" are not JSON.',
    ],
    [
      'at an endpoint, a query that is not a document',
      () => post({ query: 'users' }),
      'its "query" is not a document.',
      linked,
    ],
  ])('%s', async (_title, request, problem, asked = handlers) => {
    expect(await getResponse(asked, request())).toBeUndefined()
    expect(warnings()).toEqual([expect.stringContaining(problem)])
  })

  test('no message if another handler answers', async () => {
    const operation = graphql.operation(() => HttpResponse.json({ data: { is: 1 } }))
    expect(await ask([...handlers, operation], post('{ a }'))).toEqual({ data: { is: 1 } })
    expect(warnings()).toEqual([])
  })
})
