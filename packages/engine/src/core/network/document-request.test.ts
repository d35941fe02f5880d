import { describe, expect, test } from 'vitest'

import { graphql } from '../../graphql/graphql.ts'
import { http } from '../../http/http.ts'
import type { RequestHandler } from '../handlers/request-handler.ts'
import { HttpResponse } from '../responses/http-response.ts'
import { anyPath, isDocument, markAsOfApp, mayAnswerDocuments, type AppPages } from './document-request.ts'
import { handleRequest } from './handle-request.ts'
import { Network } from './network.ts'

const resolver = (): Response => HttpResponse.html('<h1>The mock</h1>')
const below: AppPages = { base: '/app/', forwarded: ['/app/api', '^/app/v\\d+/'] }

describe('a handler that matches every path does not answer documents', () => {
  test.each([
    '*',
    '/*',
    '/:page',
    '/:page?',
    '/:section/:page',
    '/:path*',
    '/:path+',
    '*/*',
    'http://localhost/*',
    '/(.*)',
    '/',
  ])('%s', (path) => {
    expect(mayAnswerDocuments(http.all(path, resolver), 'http://localhost/users/5', anyPath)).toBe(false)
  })

  test.each([/./, /^(?!.*\.js$)/, /localhost/])('%s', (expression) => {
    expect(mayAnswerDocuments(http.get(expression, resolver), 'http://localhost/', anyPath)).toBe(false)
  })

  test.each(['/app/*', '/app', '/app/:page', '*'])('%s, if that is the base', (path) => {
    expect(mayAnswerDocuments(http.get(path, resolver), 'http://localhost/app/users', below)).toBe(false)
  })

  test('a GraphQL handler does not answer documents, at any path', () => {
    const handler = graphql.query('GetUser', () => HttpResponse.json({})) as RequestHandler
    expect(mayAnswerDocuments(handler, 'http://localhost/', anyPath)).toBe(false)
  })
})

test.each(['/terms', '*/terms', '/users/:id', '/:language/about', '/files/*', /\/export\.csv$/, '/app/terms'])(
  'a handler of %s may answer documents',
  (path) => {
    expect(mayAnswerDocuments(http.get(path, resolver), 'http://localhost/users/5', anyPath)).toBe(true)
    expect(mayAnswerDocuments(http.get(path, resolver), undefined, below)).toBe(true)
  },
)

describe('if the path may be a page of the app', () => {
  const answers = (response: Response, path: string, pages = anyPath): boolean =>
    isDocument(response, new URL(path, 'http://localhost'), pages)
  const attachment = { headers: { 'Content-Disposition': 'attachment; filename=a' } }

  test.each([
    ['HTML', resolver(), '/terms'],
    ['an error that is HTML', HttpResponse.html('Gone', { status: 410 }), '/terms'],
    ['a redirect', HttpResponse.redirect('/terms'), '/old'],
    ['an attachment', HttpResponse.json({}, attachment), '/export'],
    ['a table', new HttpResponse('a,b', { headers: { 'Content-Type': 'text/csv' } }), '/export'],
    ['JSON of a file', HttpResponse.json({}), '/openapi.json'],
    ['text of a file', HttpResponse.text('Notes'), '/notes.txt'],
  ])('%s answers', (_name, response, path) => {
    expect(answers(response, path)).toBe(true)
  })

  test.each([
    ['JSON', HttpResponse.json([]), '/users'],
    ['JSON of a kind', HttpResponse.json([], { headers: { 'Content-Type': 'application/problem+json' } }), '/users'],
    ['JSON where the path has a dot', HttpResponse.json({}), '/users/jane.doe'],
    ['text', HttpResponse.text('1.0'), '/version'],
    ['no body', new HttpResponse(null, { status: 204 }), '/session'],
    ['an error', HttpResponse.text('No', { status: 401 }), '/login'],
    [
      'an event stream',
      new HttpResponse('data: 1\n\n', { headers: { 'Content-Type': 'text/event-stream' } }),
      '/events',
    ],
    ['bytes without a type', new HttpResponse(new Uint8Array([1])), '/bytes'],
    ['a status without a location', new HttpResponse(null, { status: 304 }), '/terms'],
  ])('%s is for scripts', (_name, response, path) => {
    expect(answers(response, path)).toBe(false)
  })

  test('any response on other paths: outside of the base, and on forwarded paths', () => {
    expect(answers(HttpResponse.json([]), '/app/users', below)).toBe(false)
    expect(answers(HttpResponse.json([]), '/app/api/users', below)).toBe(true)
    expect(answers(HttpResponse.json([]), '/app/v2/users', below)).toBe(true)
    expect(answers(HttpResponse.json([]), '/users', below)).toBe(true)
  })
})

describe('a request for a document', () => {
  // In a page, paths of handlers are relative to it.
  const origin = globalThis.location?.origin ?? 'http://localhost'
  const ask = (network: Network, path: string): ReturnType<typeof handleRequest> =>
    handleRequest(markAsOfApp(new Request(`${origin}${path}`), 'navigate'), network)

  test('is answered by the first handler that has a document', async () => {
    const network = new Network([
      http.get('*', () => HttpResponse.html('Every path')),
      http.get('/users', () => HttpResponse.json([])),
      http.get('/users', resolver),
    ])
    const outcome = await ask(network, '/users')
    expect(outcome.type === 'mocked' && (await outcome.response.text())).toBe('<h1>The mock</h1>')
    const asked = await handleRequest(new Request(`${origin}/users`), network)
    expect(asked.type === 'mocked' && (await asked.response.text())).toBe('Every path')
  })

  test('goes to the network without a report if no handler has a document', async () => {
    const reports: string[] = []
    const network = new Network([http.get('/users', () => HttpResponse.json([]))], {
      unhandled: { decides: true, fails: true, isSilent: false, apply: async ({ url }) => void reports.push(url) },
    })
    expect((await ask(network, '/users')).type).toBe('unhandled')
    expect((await ask(network, '/elsewhere')).type).toBe('unhandled')
    expect(reports).toEqual([])
  })

  test('counts no hit if the answer is for scripts', async () => {
    const network = new Network([http.get('/users', () => HttpResponse.json([]))])
    await ask(network, '/users')
    expect(network.layers.entries()[0]?.hits).toBe(0)
  })
})
