/** Tests requests of the panel's page to save handlers, with a real Node server and real files. */
import { mkdir, mkdtemp, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'

import fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'

import { bodyLimit, exchangesLimit, otherUrlsLimit, urlLimit } from '../handler-code/exchange.ts'
import { createPanelMiddleware } from '../server/create-panel-middleware.ts'
import { createExchange } from '../testing/create-exchange.ts'
import type { SavePreview } from './save-request.ts'

const source = `import { http } from 'msw'\r\n\r\nexport const handlers = [\r\n\thttp.get('/a', a)\r\n]`

let folder: string
let path: string
let server: Server
let origin: string
let token: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'understudy-save-'))
  path = join(folder, 'app/src/handlers.ts')
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, source)
  const middleware = createPanelMiddleware({
    base: '/',
    root: join(folder, 'app'),
    locate: () => Promise.resolve(undefined),
    findHandlers: () => ({ path, name: 'src/handlers.ts' }),
  })
  server = createServer((request, response) => middleware(request, response, () => response.writeHead(404).end()))
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const page = await (await fetch(`${origin}/__understudy/`)).text()
  expect(page).toContain('<meta name="understudy-save" content="yes">')
  token = /understudy-token" content="([^"]+)"/.exec(page)?.[1] ?? ''
})

afterEach(async () => {
  server.closeAllConnections()
  server.close()
  await rm(folder, { recursive: true, force: true })
})

const post = (body: unknown, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${origin}/__understudy/save`, {
    method: 'POST',
    headers: { origin, 'x-understudy-token': token, ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })

const ask = async (body: unknown): Promise<{ error?: string | null }> =>
  (await (await post(body)).json()) as { error?: string | null }

const preview = async (exchange = createExchange(), wanted: string | null = null): Promise<SavePreview> =>
  (await ask({ action: 'preview', exchange, path: wanted })) as SavePreview

const read = (): Promise<string> => readFile(path, 'utf8')

test('a handler is shown, written and removed', async () => {
  const shown = await preview(createExchange({ text: '{"token":"abc"}' }))
  expect(shown).toEqual({
    id: expect.any(String),
    error: null,
    file: 'src/handlers.ts',
    header: 'GET /api/users',
    paths: ['/api/users'],
    path: '/api/users',
    mode: 'insert',
    canReplace: false,
    notes: ['Redacted: token.'],
    code: `http.get('/api/users', () => HttpResponse.json({ token: 'redacted' })),`,
    diff: `@@ -1,5 +1,6 @@
-import { http } from 'msw'
+import { http, HttpResponse } from 'msw'
 
 export const handlers = [
+	http.get('/api/users', () => HttpResponse.json({ token: 'redacted' })),
 	http.get('/a', a)
 ]
\\ No newline at end of file
`,
  })
  expect(await read()).toBe(source)
  expect(await ask({ action: 'write', id: shown.id })).toEqual({})
  const written = await read()
  expect(written).toContain(`[\r\n\t${shown.code}\r\n`)
  expect(await ask({ action: 'undo', id: shown.id })).toEqual({})
  expect(await read()).toBe(source)
  expect(await readdir(dirname(path))).toEqual(['handlers.ts'])
})

test('several handlers are shown, written and removed in one edit', async () => {
  const exchanges = [createExchange(), createExchange({ method: 'POST', status: 201, text: null })]
  const shown = (await ask({ action: 'preview-all', exchanges, path: null })) as SavePreview
  expect(shown).toMatchObject({ error: null, header: '2 handlers', paths: ['As requested'], path: 'As requested' })
  expect(shown.code).toBe(
    `http.get('/api/users', () => HttpResponse.json({ id: 1 })),\nhttp.post('/api/users', () => new HttpResponse(null, { status: 201 })),`,
  )
  expect(shown.diff.match(/^\+/gm)).toHaveLength(3)
  expect(await read()).toBe(source)
  expect(await ask({ action: 'write', id: shown.id })).toEqual({})
  expect(await read()).toContain(`[\r\n\t${shown.code.replace('\n', '\r\n\t')}\r\n`)
  expect(await ask({ action: 'undo', id: shown.id })).toEqual({})
  expect(await read()).toBe(source)
})

test('an edit that would make the file too long to be undone is refused', async () => {
  const text = 'x'.repeat(bodyLimit)
  const exchanges = [1, 2, 3, 4, 5].map((id) =>
    createExchange({ url: `http://localhost/${id}`, type: 'text/plain', text }),
  )
  expect(await ask({ action: 'preview-all', exchanges, path: null })).toMatchObject({
    id: null,
    error: expect.stringContaining('US0840'),
  })
})

test('a list of exchanges that is empty, too long or not valid is refused', async () => {
  const many = Array.from({ length: exchangesLimit + 1 }, () => createExchange())
  for (const exchanges of [[], many, [createExchange(), createExchange({ url: 'javascript:alert(1)' })], {}, null]) {
    expect((await post({ action: 'preview-all', exchanges, path: null })).status).toBe(400)
  }
})

test('a file that has changed is neither written nor restored', async () => {
  const { id } = await preview()
  await writeFile(path, `${source}\n`)
  expect((await ask({ action: 'write', id })).error).toMatch(/src\/handlers\.ts has changed.*\(US0847\)$/)
  expect((await ask({ action: 'undo', id })).error).toMatch(/\(US0848\)$/)
  expect(await read()).toBe(`${source}\n`)
  await writeFile(path, source)
  expect(await ask({ action: 'write', id })).toEqual({})
  const edited = `${await read()}// Mine.`
  await writeFile(path, edited)
  expect((await ask({ action: 'undo', id })).error).toMatch(/\(US0848\)$/)
  expect(await read()).toBe(edited)
})

test('a file that another program is writing is read when it is complete', async () => {
  const { id } = await preview()
  await writeFile(path, '')
  const shown = preview()
  await wait(40)
  await writeFile(path, source)
  expect(await shown).toMatchObject({ id: expect.any(String), error: null })
  await writeFile(path, '')
  const written = ask({ action: 'write', id })
  await wait(40)
  await writeFile(path, source)
  expect(await written).toEqual({})
})

/** Reads the file in a thread, as often as possible, and posts how many reads found it empty. */
const watcher = `const { readFileSync } = require('node:fs')
const { parentPort, workerData: { path, state } } = require('node:worker_threads')
let [empty, reads] = [0, 0]
while (Atomics.load(state, 0) === 0) {
  if (readFileSync(path).length === 0) empty += 1
  reads += 1
}
parentPort.postMessage({ empty, reads })`

test('a build tool never reads an empty file while a handler is written and removed', async () => {
  const state = new Int32Array(new SharedArrayBuffer(4))
  const worker = new Worker(watcher, { eval: true, workerData: { path, state } })
  const ended = new Promise<{ empty: number; reads: number }>((resolve, reject) => {
    worker.once('message', resolve).once('error', reject)
  })
  await new Promise((resolve) => worker.once('online', resolve))
  for (let round = 0; round < 50; round += 1) {
    const { id } = await preview()
    expect(await ask({ action: 'write', id })).toEqual({})
    expect(await ask({ action: 'undo', id })).toEqual({})
    expect(await read()).toBe(source)
  }
  Atomics.store(state, 0, 1)
  const { empty, reads } = await ended
  expect(reads).toBeGreaterThan(100)
  expect(empty).toBe(0)
})

test('an unknown edit is not written', async () => {
  for (const action of ['write', 'undo']) {
    expect((await ask({ action, id: '__proto__' })).error).toMatch(/\(US0849\)$/)
  }
  const { id } = await preview()
  for (let count = 0; count < 50; count += 1) await preview()
  expect((await ask({ action: 'write', id })).error).toMatch(/\(US0849\)$/)
  expect(await read()).toBe(source)
})

test('only suggested paths are accepted', async () => {
  const exchange = createExchange({
    url: 'http://localhost/users/7',
    otherUrls: ['http://localhost/users/8'],
  })
  expect(await preview(exchange)).toMatchObject({ path: '/users/:id', paths: ['/users/:id', '/users/7'] })
  expect(await preview(exchange, '/users/7')).toMatchObject({ path: '/users/7', header: 'GET /users/7' })
  expect(await preview(exchange, "*', evil(), '")).toMatchObject({ path: '/users/:id' })
})

test('a handler is replaced, and undo restores the bytes', async () => {
  const plain = `import { http, HttpResponse } from 'msw'\r\nexport const handlers = [\r\n\thttp.get("/a", () => HttpResponse.json([]), { once: true })]`
  await writeFile(path, plain)
  const exchange = createExchange({ url: 'http://localhost/a', header: 'GET /a', line: 3 })
  const shown = await preview(exchange)
  expect(shown).toMatchObject({ mode: 'replace', canReplace: true, header: 'GET /a', paths: [], notes: [] })
  expect(await ask({ action: 'preview', exchange, path: null, mode: 'insert' })).toMatchObject({ mode: 'insert' })
  expect(await ask({ action: 'write', id: shown.id })).toEqual({})
  expect(await read()).toBe(plain.replace('json([])', 'json({ id: 1 })'))
  expect(await preview(exchange)).toMatchObject({ mode: 'replace', diff: '' })
  expect(await ask({ action: 'undo', id: shown.id })).toEqual({})
  expect(await read()).toBe(plain)
})

test('a resolver with code is replaced only on request, and an unknown handler never', async () => {
  const exchange = createExchange({ url: 'http://localhost/a', header: 'GET /a', line: 4 })
  expect(await preview(exchange)).toMatchObject({ mode: 'insert', canReplace: true, notes: [] })
  expect(await ask({ action: 'preview', exchange, path: null, mode: 'replace' })).toMatchObject({
    mode: 'replace',
    notes: [expect.stringContaining('written elsewhere')],
  })
  const unknown = { ...exchange, line: 1 }
  expect(await ask({ action: 'preview', exchange: unknown, path: null, mode: 'replace' })).toMatchObject({
    mode: 'insert',
    canReplace: false,
  })
  expect((await post({ action: 'preview', exchange, path: null, mode: 'remove' })).status).toBe(400)
})

test.each([
  ['exports a function', `export function handlers() {}`, 'US0846'],
  ['has a syntax error', `export const handlers = [`, 'US0845'],
])('a file that %s gets an error, and the code to copy', async (_, text, code) => {
  await writeFile(path, text)
  expect(await preview()).toMatchObject({
    id: null,
    error: expect.stringContaining(code),
    code: `http.get('/api/users', () => HttpResponse.json({ id: 1 })),`,
  })
})

test('a file that was removed, or that is a folder, gets an error without its path on the disk', async () => {
  const { id } = await preview()
  await rm(path)
  for (const body of [
    { action: 'write', id },
    { action: 'preview', exchange: createExchange(), path: null },
  ]) {
    const { error } = await ask(body)
    expect(error).toBe(
      'Failed to save the handler: src/handlers.ts cannot be read (ENOENT). Check that the file exists and that you may write it, or copy the code. (US0887)',
    )
  }
  await mkdir(path)
  expect((await preview()).error).toContain('src/handlers.ts cannot be read (EISDIR)')
})

test('two panels that save the same file do not overwrite each other', async () => {
  const [first, second] = [await preview(), await preview(createExchange({ url: 'http://localhost/api/plays' }))]
  const answers = await Promise.all([first, second].map(({ id }) => ask({ action: 'write', id })))
  expect(answers).toEqual([{}, { error: expect.stringContaining('US0847') }])
  expect(await read()).toContain('/api/users')
  expect(await read()).not.toContain('/api/plays')
})

test('a file that is not UTF-8, or very long, is not edited', async () => {
  await writeFile(path, Buffer.from([...Buffer.from(source), 0xff]))
  expect((await preview()).error).toContain('US0840')
  await writeFile(path, source + ' '.repeat(2_000_001))
  expect((await preview()).error).toContain('US0840')
})

test.each<[name: string, given: object]>([
  ['a URL of another scheme', { url: 'javascript:alert(1)' }],
  ['a long URL', { url: `http://localhost/${'a'.repeat(urlLimit)}` }],
  ['a long body', { text: 'a'.repeat(bodyLimit + 1) }],
  ['a long body in Base64', { text: null, base64: 'a'.repeat(bodyLimit + 1) }],
  ['a body that is not Base64', { text: null, base64: "'), evil('" }],
  ['a body with a part of Base64', { text: null, base64: 'AP8AA' }],
  ['a body as text and as Base64', { text: '1', base64: 'AP8=' }],
  ['too many URLs', { otherUrls: Array.from({ length: otherUrlsLimit + 1 }, () => 'http://localhost/') }],
  ['a status that a handler cannot give', { status: 101 }],
  ['a status that is code', { status: '200 }), evil(' }],
  ['a line that is not a number', { line: '3' }],
  ['a header that is not valid', { headers: [['a b', 'c']] }],
  ['a body that is not text', { text: { toString: 'a' } }],
])('%s is refused', async (_, given) => {
  const response = await post({ action: 'preview', path: null, exchange: { ...createExchange(), ...given } })
  expect(response.status).toBe(400)
})

test('only the page of this run may send requests', async () => {
  const body = { action: 'preview', path: null, exchange: createExchange() }
  expect((await post(body, { 'x-understudy-token': 'another' })).status).toBe(403)
  expect((await post(body, { origin: 'https://example.com' })).status).toBe(403)
  expect((await fetch(`${origin}/__understudy/save`)).status).toBe(404)
})

test('data never becomes code, and no other file is written', async () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom(
      "'",
      "\\'",
      '`',
      '${evil()}',
      "'), evil(), ('",
      '*/',
      '\u2028',
      '\r\n',
      '../other.ts',
      '{"__proto__":[]}',
    ),
  )
  const exchange = fc.record({
    method: text,
    url: text.map((each) => `http://localhost/${each}`),
    name: fc.oneof(
      fc.constant(null),
      text,
      text.map((each) => `query ${each}`),
    ),
    type: fc.oneof(fc.constant('application/json'), text),
    text: fc.oneof(
      text,
      text.map((each) => JSON.stringify({ [each]: each })),
    ),
    header: text.map((each) => `GET /${each}`),
  })
  const { parse } = await import('@babel/parser')
  await fc.assert(
    fc.asyncProperty(exchange, async (given) => {
      const response = await post({ action: 'preview', path: null, exchange: { ...createExchange(), ...given } })
      expect([200, 400]).toContain(response.status)
      if (response.status === 400) return
      const { code, error } = (await response.json()) as SavePreview
      expect(error).toBe(null)
      expect(listCalls(parse(`[${code}]`).program)).toHaveLength(2)
    }),
    { numRuns: 200 },
  )
  expect(await readdir(dirname(path))).toEqual(['handlers.ts'])
  expect(await read()).toBe(source)
})

test('a body of any kind gets an answer', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(
        fc.json(),
        fc.string(),
        fc.json().map((id) => `{"action":"undo","id":${id}}`),
      ),
      async (body) => {
        expect([200, 400]).toContain((await post(body)).status)
      },
    ),
  )
  const deep = createExchange({ text: '['.repeat(200_000) + ']'.repeat(200_000) })
  expect((await post({ action: 'preview', exchange: deep, path: null })).status).toBe(200)
  expect((await post('x'.repeat(3_000_000)).catch(() => ({ status: 400 }))).status).toBe(400)
})

/** The types of all nodes that can run code. */
function listCalls(node: object): string[] {
  const { type } = node as { type?: unknown }
  const isCall = typeof type === 'string' && /^(?:Call|New|TaggedTemplate|Assignment|Arrow)/.test(type)
  const below = Object.values(node).flatMap((child: unknown) =>
    typeof child === 'object' && child !== null ? listCalls(child) : [],
  )
  return isCall && type !== 'ArrowFunctionExpression' ? [type, ...below] : below
}

/** Moves the handlers file, and puts a symbolic link in its place. */
async function linkTo(target: string): Promise<void> {
  await mkdir(dirname(target), { recursive: true })
  await rename(path, target)
  await symlink(target, path)
}

test('a link to a file outside the project is not followed, also if it replaces the file after the diff was shown', async () => {
  await writeFile(join(folder, 'app/package.json'), '{}')
  const shown = await preview()
  const target = join(folder, 'elsewhere/handlers.ts')
  await linkTo(target)
  expect((await ask({ action: 'write', id: shown.id })).error).toContain('US0888')
  const refused = await preview()
  expect(refused).toMatchObject({ id: null, error: expect.stringContaining('src/handlers.ts is a symbolic link') })
  expect(refused.error).not.toContain(folder)
  expect(await readFile(target, 'utf8')).toBe(source)
})

test('a linked folder of another repository is not followed', async () => {
  await writeFile(join(folder, 'app/package.json'), '{}')
  const target = join(folder, 'other/mocks')
  await mkdir(join(target, '../.git'), { recursive: true })
  await mkdir(target)
  await writeFile(join(target, 'handlers.ts'), source)
  await rm(dirname(path), { recursive: true })
  await symlink(target, dirname(path))
  expect((await preview()).error).toContain('US0888')
  expect(await readFile(join(target, 'handlers.ts'), 'utf8')).toBe(source)
})

test('a link to an installed package is not followed', async () => {
  await writeFile(join(folder, 'app/package.json'), '{}')
  const target = join(folder, 'app/node_modules/mocks/handlers.ts')
  await linkTo(target)
  expect((await preview()).error).toContain('US0888')
  expect(await readFile(target, 'utf8')).toBe(source)
})

test.each([
  ['pnpm-workspace.yaml', 'packages:\n'],
  ['package.json', '{"workspaces":["*"]}'],
  ['.git', 'gitdir: elsewhere\n'],
])('a link to another package of the same repository is followed: %s', async (file, text) => {
  await writeFile(join(folder, 'app/package.json'), '{}')
  await writeFile(join(folder, file), text)
  const target = join(folder, 'mocks/handlers.ts')
  await linkTo(target)
  const shown = await preview()
  expect(shown.error).toBe(null)
  expect(await ask({ action: 'write', id: shown.id })).toEqual({})
  expect(await readFile(target, 'utf8')).toContain('/api/users')
  expect(await ask({ action: 'undo', id: shown.id })).toEqual({})
  expect(await readFile(target, 'utf8')).toBe(source)
})

test('a project in a linked folder can be edited', async () => {
  await symlink(join(folder, 'app'), join(folder, 'linked'))
  path = join(folder, 'linked/src/handlers.ts')
  expect((await preview()).error).toBe(null)
})
