import { globSync } from 'node:fs'
import { cp, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'

import type { Server, SetupServer } from '@understudy/engine/node'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'

import { createExampleProject, type ExampleProject } from './example-project.ts'
import { moveFromMsw } from './move-from-msw.ts'

const fixtures = resolve(import.meta.dirname, '../fixtures/migration')
const page = resolve(import.meta.dirname, '../../docs/migrating-from-msw.md')
const api = 'https://api.example.com'

let project: ExampleProject

beforeAll(async () => {
  project = await createExampleProject(new Map(), async (folder) => {
    await cp(fixtures, folder, { recursive: true })
    await moveFromMsw(folder)
    await writeFile(join(folder, 'every-name.ts'), importEveryName(await readFile(page, 'utf8')))
  })
})

/** Returns code that imports every name in the page's table from its entry. */
function importEveryName(markdown: string): string {
  const rows = markdown.slice(markdown.indexOf('## Every name')).matchAll(/^\| (.+?) \| [\d, ]+ \| same(.*?) \|$/gm)
  return Array.from(rows, ([, names = '', rest = '']) => {
    const entry = /\(`(\/\w+)`\)/.exec(rest)?.[1] ?? ''
    const imported = Array.from(names.matchAll(/`(\w+)`/g), ([, name]) => name).join(', ')
    // A name that is not only a type must exist at run time.
    const isType = /\btypes?\b/.test(rest)
    return `import ${isType ? 'type ' : ''}{ ${imported} } from '@understudy/engine${entry}'\n${isType ? '' : `void [${imported}]\n`}`
  }).join('')
}

afterAll(() => project.remove())

afterEach(() => {
  vi.restoreAllMocks()
})

interface ServerModule {
  server: SetupServer
  options: Parameters<Server['listen']>[0]
  told: string[]
}

async function load<Module>(file: string): Promise<Module> {
  return (await import(/* @vite-ignore */ join(project.folder, file))) as Module
}

async function askGraphQL(url: string, query: string, variables: object): Promise<unknown> {
  const headers = { 'Content-Type': 'application/json' }
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ query, variables }) })
  return response.json()
}

test('the command changes only imports', async () => {
  const files = globSync('**/*.{ts,js}', { cwd: fixtures })
  expect(files).toHaveLength(9)
  for (const file of files) {
    const [before, after] = await Promise.all(
      [fixtures, project.folder].map(async (folder) => (await readFile(join(folder, file), 'utf8')).split('\n')),
    )
    const changed = before?.filter((line, index) => line !== after?.[index]) ?? []
    expect(changed.filter((line) => !/from '(?:msw)(?:\/.+)?'$/.test(line))).toEqual([])
    expect(after?.filter((line) => /['"]msw/.test(line))).toEqual([])
  }
})

test('all names of the page exist', async () => {
  const file = join(project.folder, 'every-name.ts')
  expect((await readFile(file, 'utf8')).match(/\bimport\b/g)?.length).toBeGreaterThan(20)
  // The check below reports missing types.
  expect(await import(/* @vite-ignore */ file)).toBeDefined()
})

test('the types of all handlers are valid', async () => {
  expect(await project.check()).toEqual([])
})

describe('handlers of MSW 1', () => {
  let server: SetupServer

  beforeAll(async () => {
    server = (await load<ServerModule>('msw-1/src/mocks/server.ts')).server
    server.listen({ onUnhandledRequest: 'error' })
  })

  afterAll(() => server.close())

  test('params and status', async () => {
    expect(await (await fetch(`${api}/user/1`)).json()).toEqual({ id: '1', name: 'Ada' })
    const missing = await fetch(`${api}/user/2`)
    expect([missing.status, missing.statusText, await missing.json()]).toEqual([
      404,
      'Not Found',
      { error: 'No such user' },
    ])
  })

  test('bodies, cookies and headers', async () => {
    const credentials = 'include'
    const login = await fetch(`${api}/login`, {
      method: 'POST',
      credentials,
      headers: { 'Content-Type': 'application/json' },
      body: '{"username":"ada"}',
    })
    expect([login.status, login.statusText, login.headers.get('x-seen')]).toEqual([201, 'Welcome', 'yes'])
    expect(login.headers.getSetCookie()).toEqual(['session=abc; Path=/'])
    expect(await login.json()).toEqual({ username: 'ada' })
    const orders = await fetch(`${api}/orders?page=2`, { credentials })
    expect(await orders.json()).toEqual({ page: '2', cookies: { session: 'abc' } })
    server.cookies.clear()
    expect((await fetch(`${api}/orders`, { credentials })).status).toBe(401)
  })

  test('the user’s own transformers and compositions', async () => {
    const echo = await fetch(`${api}/echo`, { method: 'PUT', body: '{"text":"hello"}' })
    expect([await echo.text(), echo.headers.get('x-powered-by')]).toEqual(['hello', 'Ada'])
    const secret = await fetch(`${api}/secret`)
    expect([secret.status, await secret.json()]).toEqual([403, { reason: 'closed' }])
    const slow = await fetch(`${api}/slow`)
    expect([slow.headers.get('content-type'), await slow.text()]).toEqual(['text/xml', '<slow/>'])
    const image = await fetch(`${api}/image/a.png`)
    expect([image.headers.get('content-type'), (await image.arrayBuffer()).byteLength]).toEqual(['image/png', 3])
  })

  test('res.once and res.networkError', async () => {
    expect(await (await fetch(`${api}/once`)).text()).toBe('first')
    expect(await (await fetch(`${api}/once`)).text()).toBe('later')
    server.restoreHandlers()
    expect(await (await fetch(`${api}/once`)).text()).toBe('first')
    await expect(fetch(`${api}/down`)).rejects.toThrow(TypeError)
  })

  test('GraphQL', async () => {
    const url = `${api}/graphql`
    expect(await askGraphQL(url, 'query GetUser($id: ID!) { user(id: $id) { name } }', { id: '1' })).toEqual({
      data: { user: { id: '1', name: 'Ada' } },
    })
    expect(await askGraphQL(url, 'mutation Login { login }', {})).toEqual({
      errors: [{ message: 'Wrong password' }],
      extensions: { tries: 3 },
    })
    expect(await askGraphQL('https://other.example.com/graphql', '{ any }', {})).toEqual({ data: { any: true } })
  })

  test('listeners and the unhandled callback', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    const { listen, onUnhandledRequest } = await load<{
      listen(target: SetupServer, told: string[]): void
      onUnhandledRequest: () => void
    }>('msw-1/src/mocks/listeners.js')
    const told: string[] = []
    server.listen({ onUnhandledRequest })
    listen(server, told)
    await fetch(`${api}/user/1`)
    await expect(fetch('http://127.0.0.1:1/none')).rejects.toThrow(TypeError)
    expect(told).toEqual([
      'start GET /user/1',
      `match ${api}/user/1`,
      'mocked 200 string',
      'start GET /none',
      'unhandled 127.0.0.1:1',
    ])
    expect(warn.mock.calls.map(([line]) => line as string)).toEqual([expect.stringContaining('No handler matches GET')])
    server.events.removeAllListeners()
    server.listen({ onUnhandledRequest: 'error' })
  })

  test('printHandlers', () => {
    const info = vi.spyOn(console, 'info').mockImplementation(() => {})
    server.printHandlers()
    expect(info).toHaveBeenCalledTimes(server.listHandlers().length)
    expect(info.mock.calls[0]?.[0]).toMatch(/^\[understudy\] GET https:\/\/api\.example\.com\/health \(.+handlers\.ts/)
  })
})

describe('handlers of MSW 2', () => {
  let module: ServerModule

  beforeAll(async () => {
    module = await load<ServerModule>('msw-2/src/mocks/server.ts')
    module.server.listen(module.options)
  })

  afterAll(() => module.server.close())

  test('answer', async () => {
    const get = async (path: string, init?: RequestInit) => (await fetch(`${api}${path}`, init)).text()
    expect(await get('/user/5')).toBe('{"id":"5","name":"Ada"}')
    expect(await get('/list')).toBe('[1,2]')
    expect(await get('/user', { method: 'POST', body: '{"name":"Ada"}' })).toBe('{"name":"Ada","session":null}')
    expect((await fetch(`${api}/orders`)).status).toBe(401)
    expect(await get('/orders', { headers: { Authorization: 'x' } })).toBe('[]')
    expect([await get('/job'), await get('/job')]).toEqual(['running', 'done'])
    expect([await get('/steps'), await get('/steps'), await get('/steps')]).toEqual(['1', '2', '2'])
    await expect(get('/down')).rejects.toThrow(TypeError)
    expect(await get('/patched')).toBe('{"id":"7","name":"Ada","isMarked":true}')
    expect(await get('/any?debug')).toBe('<p>debug</p>')
  })

  test('GraphQL', async () => {
    const url = `${api}/graphql`
    expect(await askGraphQL(url, 'query GetUser($id: ID!) { user(id: $id) { name } }', { id: '1' })).toEqual({
      data: { user: { id: '1', name: 'Ada' } },
    })
    expect(await askGraphQL(url, 'mutation Login { login }', {})).toEqual({ errors: [{ message: 'Wrong password' }] })
    expect(await askGraphQL('https://other.example.com/graphql', '{ any }', {})).toEqual({ data: { query: '{ any }' } })
  })

  test('listeners and the unhandled callback', async () => {
    const error = vi.spyOn(console, 'error').mockImplementation(() => {})
    module.told.length = 0
    await fetch(`${api}/list`)
    expect(module.told).toEqual([`start ${api}/list string`, 'mocked 200 GET'])
    await expect(fetch('http://127.0.0.1:1/none')).rejects.toThrow(TypeError)
    expect(error).toHaveBeenCalledOnce()
  })
})

describe('handlers of MSW 3', () => {
  let module: ServerModule

  beforeAll(async () => {
    module = await load<ServerModule>('msw-3/src/mocks/server.ts')
    module.server.listen(module.options)
  })

  afterAll(() => module.server.close())

  test('answer', async () => {
    expect(await (await fetch(`${api}/user/5`)).json()).toEqual({ id: '5' })
    expect(await (await fetch(`${api}/method?a=1`)).text()).toBe(`${api}/method`)
    expect(await askGraphQL(`${api}/graphql`, 'query GetUser { user }', { id: '1' })).toEqual({
      data: { id: '1', operationName: 'GetUser' },
    })
  })

  test('listeners and the unhandled callback', async () => {
    const error = vi.spyOn(console, 'error').mockImplementation(() => {})
    module.told.length = 0
    await fetch(`${api}/user/5`)
    expect(module.told).toEqual(['request:start', 'request:match', 'request:end', 'response:mocked'])
    await expect(fetch('http://127.0.0.1:1/none')).rejects.toThrow(TypeError)
    expect(error).toHaveBeenCalledOnce()
    await expect(fetch('http://127.0.0.1:1/static/a')).rejects.toThrow(TypeError)
    expect(error).toHaveBeenCalledOnce()
  })
})
