/**
 * Tests the compilers' messages about usual mistakes, and the texts of our types in editors.
 */
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

import ts from 'typescript'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../..')
const entry = join(root, 'packages/engine/src/index.ts')
const prelude = `import { graphql, http, HttpResponse } from '${entry}'
interface User { id: string; name: string }
`

/** A mistake: the code, the position of the message, and its first line. */
type Mistake = readonly [title: string, code: string, at: string, message: RegExp]

const mistakes: readonly Mistake[] = [
  [
    'a property of the wrong type',
    `http.get<never, never, User>('/u', () => HttpResponse.json({ id: '1', name: 5 }))`,
    'name: 5',
    /^Type 'number' is not assignable to type 'string'\.$/,
  ],
  [
    'a property that the body does not have',
    `http.get<never, never, User>('/u', () => HttpResponse.json({ id: '1', name: 'Ada', age: 36 }))`,
    'age: 36',
    /^Object literal may only specify known properties, and 'age' does not exist in type 'User'\.$/,
  ],
  [
    'a missing property',
    `http.get<never, never, User>('/u', async () => HttpResponse.json({ id: '1' }))`,
    `{ id: '1' }`,
    /to parameter of type 'User'\.$|^Property 'name' is missing in type '{ id: string; }' but required in type 'User'\.$/,
  ],
  [
    'a wrong property in one of several answers',
    `http.get<never, never, User>('/u', ({ cookies }) => {
      if (!cookies.session) return new HttpResponse(null, { status: 401 })
      return HttpResponse.json({ id: 1, name: 'Ada' })
    })`,
    'id: 1,',
    /^Type 'number' is not assignable to type 'string'\.$/,
  ],
  [
    'a wrong property in a step of a generator',
    `http.get<never, never, User>('/u', function* () { yield HttpResponse.json({ id: 1, name: 'Ada' }) })`,
    'id: 1,',
    /^Type 'number' is not assignable to type 'string'\.$/,
  ],
  [
    'a wrong property of GraphQL data',
    `graphql.query<{ user: User }>('GetUser', () => HttpResponse.json({ data: { user: { id: '1', name: 5 } } }))`,
    'name: 5',
    /^Type 'number' is not assignable to type 'string'\.$/,
  ],
  [
    'a plain object instead of a response',
    `http.get('/u', () => ({ id: '1' }))`,
    `({ id: '1' })`,
    /^Type '{ id: string; }' is not assignable to type 'AsyncResponseResolverReturnType<undefined>'\.$/,
  ],
  [
    'a plain object where the body is declared',
    `http.get<never, never, User>('/u', () => ({ id: '1', name: 'Ada' }))`,
    `({ id: '1', name: 'Ada' })`,
    /^Type '{ id: string; name: string; }' is not assignable to type 'AsyncResponseResolverReturnType<User>'\.$/,
  ],
  [
    'a promise of a plain object',
    `http.get('/u', async () => ({ id: '1' }))`,
    `({ id: '1' })`,
    /^Type 'Promise<{ id: string; }>' is not assignable to type 'AsyncResponseResolverReturnType<undefined>'\.$/,
  ],
  ['nothing but `null`', `http.get('/u', () => null)`, 'null', /^Type 'null' .*ResponseResolverReturnType/],
  [
    'a plain object from a GraphQL resolver',
    `graphql.query('GetUser', () => ({ data: { user: null } }))`,
    '({ data',
    /^Type '{ data: { user: null; }; }' is not assignable to type 'AnyResponseResolverReturnType<.*GraphQLQuery.*>'\.$/,
  ],
  ['no resolver', `http.get('/u')`, 'get', /^Expected 2-3 arguments, but got 1\.$/],
]

/** As the type tests in `vitest.config.ts`. */
const compilers = [
  ['TypeScript 7', join(root, 'node_modules/typescript/bin/tsc'), ['tsconfig.json', 'tsconfig.templates.json']],
  ['TypeScript 5.9', join(import.meta.dirname, 'node_modules/typescript/bin/tsc'), ['tsconfig.templates.json']],
] as const

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(import.meta.dirname, '.messages-'))
  await writeFile(join(folder, 'mistakes.ts'), prelude + mistakes.map(([, code]) => code).join('\n'))
})

afterAll(() => rm(folder, { recursive: true }))

describe.for(compilers)('%s points at', ([_name, compiler, configs]) => {
  describe.for(configs)('under %s', (config) => {
    let lines: string[]

    beforeAll(async () => {
      const project = join(folder, `${compilers.findIndex(([, path]) => path === compiler)}-${config}`)
      await writeFile(
        project,
        JSON.stringify({
          extends: `../${config}`,
          compilerOptions: { noUncheckedIndexedAccess: false },
          include: [],
          files: ['mistakes.ts'],
        }),
      )
      const { stdout } = await run(process.execPath, [compiler, '-p', project, '--pretty', 'false'], {
        cwd: folder,
      }).catch((error: { stdout: string }) => error)
      lines = stdout.split('\n').filter((line) => line.includes('mistakes.ts('))
    })

    test.each(mistakes)('%s', (_title, code, at, message) => {
      const source = prelude + mistakes.map(([, each]) => each).join('\n')
      const start = source.indexOf(code)
      const line = (offset: number): number => source.slice(0, offset).split('\n').length
      const own = lines.filter((each) => {
        const number = Number(/\((\d+),/.exec(each)?.[1])
        return number >= line(start) && number <= line(start + code.length)
      })
      expect(own).toHaveLength(1)
      const [, row, column, text = ''] = /\((\d+),(\d+)\): error TS\d+: (.*)$/.exec(own[0] ?? '') ?? []
      const place = source.split('\n')[Number(row) - 1]?.slice(Number(column) - 1)
      // For an arrow function's body in parentheses, some compilers point behind the first parenthesis.
      expect(place?.replace(/^(?=\{)/, at.startsWith('(') ? '(' : '').slice(0, at.length)).toBe(at)
      expect(text).toMatch(message)
    })
  })
})

describe('an editor shows', () => {
  const file = join(import.meta.dirname, 'editor.ts')
  const code = `${prelude}
http.get('/user/:id', ({ params, request }) => HttpResponse.json({ id: params.id }))
http.get<{ id: string }, never, User>('/user/:id', () => HttpResponse.json({ id: '1', name: 'Ada' }))
graphql.query('GetUser', ({ variables }) => HttpResponse.json({ data: { id: variables.id } }))
http.get('/user', ({ }) => HttpResponse.json({}))
http.;
http.get(
`
  const service = createService(file, code)
  const hover = (text: string): string => {
    const info = service.getQuickInfoAtPosition(file, code.indexOf(text))
    return ts.displayPartsToString(info?.displayParts).replaceAll(/\s+/g, ' ')
  }
  const complete = (after: string): string[] =>
    service.getCompletionsAtPosition(file, code.indexOf(after) + after.length, {})?.entries.map(({ name }) => name) ??
    []

  test('the words of the documentation where `http.get` is hovered', () => {
    expect(hover(`get('/user/:id'`)).toMatchInlineSnapshot(
      `"(property) Http.get: HttpHandlerFactory <PathParams, DefaultBodyType, undefined, "/user/:id", QueryPattern>(predicate: "/user/:id", resolver: HttpResponseResolver<{ id: string; } & PathParams<string>, DefaultBodyType, undefined>, options?: HttpHandlerOptions<QueryPattern> | undefined) => HttpHandler"`,
    )
    expect(hover('get<')).toMatchInlineSnapshot(
      `"(property) Http.get: HttpHandlerFactory <{ id: string; }, never, User, Path | HttpPredicate<{ id: string; }>, QueryPattern>(predicate: Path | HttpPredicate<{ id: string; }>, resolver: HttpResponseResolver<{ id: string; }, never, User>, options?: HttpHandlerOptions<QueryPattern> | undefined) => HttpHandler"`,
    )
  })

  test('the types of resolver arguments', () => {
    expect(hover('params, request')).toMatchInlineSnapshot(`"(parameter) params: { id: string; } & PathParams<string>"`)
    expect(hover('request })')).toMatchInlineSnapshot(`"(parameter) request: StrictRequest<DefaultBodyType>"`)
    expect(hover('variables })')).toMatchInlineSnapshot(`"(parameter) variables: GraphQLVariables"`)
    expect(hover(`json({ id: '1'`)).toMatchInlineSnapshot(
      `"(method) HttpResponse<Body = any>.json<{ id: string; name: string; }, User>(body?: User | null | undefined, init?: HttpResponseInit): HttpResponse<User>"`,
    )
  })

  test('the methods behind `http.`, and nothing else', () => {
    expect(complete('\nhttp.').toSorted()).toEqual(['all', 'delete', 'get', 'head', 'options', 'patch', 'post', 'put'])
  })

  test('resolver arguments, inside of the braces', () => {
    expect(complete(`http.get('/user', ({ `)).toEqual(['cookies', 'finalize', 'params', 'request', 'requestId', 'url'])
  })

  test('the parameters of `http.get(`', () => {
    const help = service.getSignatureHelpItems(file, code.lastIndexOf('http.get(') + 'http.get('.length, {})
    expect(help?.items.map((item) => item.parameters.map(({ displayParts }) => ts.displayPartsToString(displayParts))))
      .toMatchInlineSnapshot(`
        [
          [
            "predicate: Path | HttpPredicate<PathParams>",
            "resolver: HttpResponseResolver<PathParams | PathParams<string>, DefaultBodyType, undefined>",
            "options?: HttpHandlerOptions<QueryPattern> | undefined",
          ],
        ]
      `)
  })
})

function createService(file: string, code: string): ts.LanguageService {
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile) as {
    config: { compilerOptions: unknown }
  }
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, root)
  return ts.createLanguageService({
    getScriptFileNames: () => [file],
    getScriptVersion: () => '1',
    getScriptSnapshot: (path) => {
      const text = path === file ? code : ts.sys.readFile(path)
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text)
    },
    getCurrentDirectory: () => root,
    getCompilationSettings: () => options,
    getDefaultLibFileName: (given) => ts.getDefaultLibFilePath(given),
    fileExists: (path) => ts.sys.fileExists(path),
    readFile: (path) => ts.sys.readFile(path),
  })
}
