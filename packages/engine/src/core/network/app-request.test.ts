import { describe, expect, test, vi } from 'vitest'

import { graphql } from '../../graphql/graphql.ts'
import { http } from '../../http/http.ts'
import type { RequestHandler } from '../handlers/request-handler.ts'
import { HttpResponse } from '../responses/http-response.ts'
import { readUnhandledPolicy } from '../unhandled/unhandled-request.ts'
import { mayAnswerApp } from './app-request.ts'
import { anyPath, markAsOfApp, type AppPages } from './document-request.ts'
import { handleRequest } from './handle-request.ts'
import { Network } from './network.ts'

const resolver = (): Response => HttpResponse.json({})
const baseUrl = 'http://localhost/users/5'

function mayAnswer(
  handler: RequestHandler,
  path: string,
  mode: RequestMode = 'cors',
  pages: AppPages = anyPath,
): boolean {
  return mayAnswerApp(handler, { url: new URL(path, baseUrl), baseUrl }, mode, pages)
}

describe('a handler answers a request for code of the app', () => {
  test.each([
    ['/src/api/users.ts', '/src/api/users.ts'],
    ['*/users.ts', '/src/api/users.ts'],
    ['/src/:folder/users.ts', '/src/api/users.ts'],
    ['/chunks/*.js', '/chunks/a-1.js'],
    [/users\.ts$/, '/src/api/users.ts'],
  ])('%s, which names the file', (pattern, path) => {
    expect(mayAnswer(http.get(pattern, resolver), path)).toBe(true)
  })

  test.each([
    ['*', '/src/main.ts'],
    ['/*', '/@vite/client'],
    ['*/api/*', '/src/api/users.ts'],
    ['/users/:id', '/users/index.tsx'],
    ['/users/:id?', '/users/a.tsx'],
    [/\/api\//, '/src/api/users.ts'],
  ])('not %s, which matches any file', (pattern, path) => {
    expect(mayAnswer(http.all(pattern, resolver), path)).toBe(false)
  })

  test('on a path that the dev server forwards, unless its pattern matches every path', () => {
    const pages = { base: '/', forwarded: ['/api'] }
    expect(mayAnswer(http.get('/api/:name', resolver), '/api/widget.js', 'cors', pages)).toBe(true)
    expect(mayAnswer(http.get('*', resolver), '/api/widget.js', 'cors', pages)).toBe(false)
  })

  test.each<RequestMode>(['no-cors', 'cors'])(
    'for a script without a file name, in the mode %s, unless its pattern matches every path',
    (mode) => {
      expect(mayAnswer(http.get('/callbacks/:name', resolver), '/callbacks/a', mode)).toBe(true)
      expect(mayAnswer(http.get('/callbacks/:name', resolver), '/callbacks/a.js', mode)).toBe(false)
      expect(mayAnswer(http.get('*', resolver), '/callbacks/a', mode)).toBe(false)
      expect(mayAnswer(http.get('/:first/:second', resolver), '/@vite/client', mode)).toBe(false)
    },
  )

  test('not for a web worker without a file name', () => {
    expect(mayAnswer(http.get('/workers/:name', resolver), '/workers/a', 'same-origin')).toBe(false)
  })

  test('not GraphQL handlers', () => {
    const handler = graphql.query('GetUser', resolver) as RequestHandler
    expect(mayAnswer(handler, '/src/main.ts?query=a')).toBe(false)
  })
})

describe('a request for code of the app', () => {
  const origin = globalThis.location?.origin ?? 'http://localhost'
  const isMocked = async (request: Request): Promise<boolean> => {
    const network = new Network([http.all('*', () => HttpResponse.json({}))])
    return (await handleRequest(request, network)).type === 'mocked'
  }

  test('goes to the network without a report', async () => {
    const reports: string[] = []
    const network = new Network([http.all('*/api/*', resolver)], {
      unhandled: { decides: true, fails: true, isSilent: false, apply: async ({ url }) => void reports.push(url) },
    })
    const request = markAsOfApp(new Request(`${origin}/src/api/users.vue`), 'cors')
    expect((await handleRequest(request, network)).type).toBe('unhandled')
    expect((await handleRequest(new Request(`${origin}/src/api/users.vue`), network)).type).toBe('mocked')
    expect(reports).toEqual([])
  })

  test('fails with "error" if a handler that may answer it returns nothing', async () => {
    const network = new Network([http.get('/callbacks/:name', () => undefined)], {
      unhandled: readUnhandledPolicy({ onUnhandledRequest: 'error' }),
      baseUrl: `${origin}/`,
    })
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const request = markAsOfApp(new Request(`${origin}/callbacks/a`), 'no-cors')
    expect(await handleRequest(request, network)).toMatchObject({
      type: 'network-error',
      error: { message: expect.stringContaining('returned no response') },
    })
  })

  test('the files of a tool in the page', async () => {
    // Node has no location.
    if (!globalThis.location) vi.stubGlobal('location', new URL(origin))
    const network = new Network([
      http.get('/named/__data.json', () => HttpResponse.json({})),
      http.all('*', () => HttpResponse.json({})),
    ])
    network.pages = {
      ...network.pages,
      toolFiles: String.raw`^${origin}/book/index\.json$|/__data\.json(?:\?|$)|\?rsc=`,
    }
    const typeOf = async (url: string): Promise<string> => (await handleRequest(new Request(url), network)).type
    expect(await typeOf(`${origin}/book/index.json`)).toBe('unhandled')
    expect(await typeOf(`${origin}/users/__data.json?invalidated=01`)).toBe('unhandled')
    expect(await typeOf(`${origin}/users?rsc=`)).toBe('unhandled')
    expect(await typeOf(`${origin}/users`)).toBe('mocked')
    expect(await typeOf(`${origin}/index.json`)).toBe('mocked')
    expect(await typeOf(`${origin}/named/__data.json`)).toBe('mocked')
    expect(await typeOf('https://api.example.com/users/__data.json')).toBe('mocked')
  })

  test.each(['/main.5a7c.hot-update.json', '/__webpack_hmr', '/_rspack/lazy/trigger'])('%s', async (path) => {
    expect(await isMocked(new Request(origin + path))).toBe(false)
    expect(await isMocked(new Request(`${origin}/users`))).toBe(true)
  })
})
