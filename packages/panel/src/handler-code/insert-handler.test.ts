import { parse } from '@babel/parser'
import fc from 'fast-check'
import { expect, test } from 'vitest'

import { createExchange } from '../testing/create-exchange.ts'
import { toHandlerCode } from './handler-code.ts'
import { insertHandler } from './insert-handler.ts'

const handler = toHandlerCode(createExchange(), '/api/users')
const graphql = toHandlerCode(createExchange({ name: 'query GetUser' }), 'GetUser')
const added = `http.get('/api/users', () => HttpResponse.json({ id: 1 }))`
const imported = `import { http, HttpResponse } from '@understudy/engine'\n\n`

test.each<[name: string, before: string, after: string]>([
  [
    'an array of several lines',
    `${imported}// All.\nexport const handlers = [\n  // First.\n  http.get('/a', a), // A.\n]\n`,
    `${imported}// All.\nexport const handlers = [\n  ${added},\n  // First.\n  http.get('/a', a), // A.\n]\n`,
  ],
  [
    'a comment behind the bracket',
    `${imported}export const handlers = [ // All.\n  http.get('/a', a)\n]\n`,
    `${imported}export const handlers = [ // All.\n  ${added},\n  http.get('/a', a)\n]\n`,
  ],
  [
    'an array in one line',
    `${imported}export const handlers = [http.get('/a', a)]`,
    `${imported}export const handlers = [\n  ${added},\n  http.get('/a', a)]`,
  ],
  [
    'an empty array',
    `${imported}export const handlers = []\n`,
    `${imported}export const handlers = [\n  ${added},\n]\n`,
  ],
  [
    'an empty array with a comment',
    `${imported}export const handlers = [\n  // Soon.\n]\n`,
    `${imported}export const handlers = [\n  ${added},\n  // Soon.\n]\n`,
  ],
  [
    'an array that begins with others',
    `${imported}export const handlers = [\n  ...users,\n]\n`,
    `${imported}export const handlers = [\n  ${added},\n  ...users,\n]\n`,
  ],
  [
    'a statement after the imports that begins with a semicolon',
    `import { log } from './log'\n;[log].forEach(run)\nexport const handlers = []\n`,
    `import { log } from './log'\nimport { http, HttpResponse } from '@understudy/engine'\n;[log].forEach(run)\nexport const handlers = [\n  ${added},\n]\n`,
  ],
  [
    'a type annotation',
    `${imported}export const handlers: Handler[] = [\n  a,\n]\n`,
    `${imported}export const handlers: Handler[] = [\n  ${added},\n  a,\n]\n`,
  ],
  [
    '"as const" and "satisfies"',
    `${imported}export const handlers = [\n  a,\n] as const satisfies readonly Handler[]\n`,
    `${imported}export const handlers = [\n  ${added},\n  a,\n] as const satisfies readonly Handler[]\n`,
  ],
  ['a default export', `${imported}export default [\n  a\n]\n`, `${imported}export default [\n  ${added},\n  a\n]\n`],
  [
    'a variable that is exported later',
    `${imported}const all = [\n  a\n]\nexport { all as handlers }\n`,
    `${imported}const all = [\n  ${added},\n  a\n]\nexport { all as handlers }\n`,
  ],
  [
    'a variable whose items are set, beside another with its name',
    `${imported}export let handlers = [\n  a\n]\nhandlers[0] = b\nhandlers.length = 1\nfunction f() { let handlers = [] }\n`,
    `${imported}export let handlers = [\n  ${added},\n  a\n]\nhandlers[0] = b\nhandlers.length = 1\nfunction f() { let handlers = [] }\n`,
  ],
  [
    'a default export of a variable',
    `${imported}const all = (<Handler[]>[a])\nexport default all\n`,
    `${imported}const all = (<Handler[]>[\n  ${added},\n  a])\nexport default all\n`,
  ],
  [
    '"handlers" before the default export',
    `${imported}export default [b]\nexport const handlers = [\n  a\n]\n`,
    `${imported}export default [b]\nexport const handlers = [\n  ${added},\n  a\n]\n`,
  ],
  [
    'an import without one of the names',
    `import { http } from 'msw'\nexport const handlers = []\n`,
    `import { http, HttpResponse } from 'msw'\nexport const handlers = [\n  ${added},\n]\n`,
  ],
  [
    'an import over several lines with a trailing comma',
    `import {\n  type Handler,\n  HttpResponse,\n} from './mocking.ts'\nexport const handlers = []\n`,
    `import {\n  type Handler,\n  HttpResponse,\n  http,\n} from './mocking.ts'\nexport const handlers = [\n  ${added},\n]\n`,
  ],
  [
    'an import of types only',
    `import type { Handler } from 'msw'; // Types.\n\nexport const handlers: Handler[] = [];\n`,
    `import type { Handler } from 'msw'; // Types.\nimport { http, HttpResponse } from 'msw';\n\nexport const handlers: Handler[] = [\n  ${added},\n];\n`,
  ],
  [
    'no import',
    `// @ts-check\n\n/** All. */\nexport const handlers = []\n`,
    `// @ts-check\n\n${imported}/** All. */\nexport const handlers = [\n  ${added},\n]\n`,
  ],
  [
    'an alias',
    `import { http as h, HttpResponse as R } from 'msw'\nexport const handlers = []\n`,
    `import { http as h, HttpResponse as R } from 'msw'\nexport const handlers = [\n  h.get('/api/users', () => R.json({ id: 1 })),\n]\n`,
  ],
  [
    'a name that is taken',
    `import http from 'node:http'\nimport { HttpResponse } from 'msw'\nexport const handlers = []\n`,
    `import http from 'node:http'\nimport { HttpResponse, http as mockHttp } from 'msw'\nexport const handlers = [\n  mockHttp.get('/api/users', () => HttpResponse.json({ id: 1 })),\n]\n`,
  ],
  [
    'tabs, double quotes and CRLF',
    `import { http, HttpResponse } from "msw";\r\n\r\nexport const handlers = [\r\n\thttp.get("/a", a),\r\n];\r\n`,
    `import { http, HttpResponse } from "msw";\r\n\r\nexport const handlers = [\r\n\thttp.get("/api/users", () => HttpResponse.json({ id: 1 })),\r\n\thttp.get("/a", a),\r\n];\r\n`,
  ],
  [
    'an import of all names',
    `import * as msw from 'msw'\nexport const handlers = []\n`,
    `import * as msw from 'msw'\nexport const handlers = [\n  msw.http.get('/api/users', () => msw.HttpResponse.json({ id: 1 })),\n]\n`,
  ],
  [
    'named groups',
    `${imported}export const handlers = {\n  users: [\n    http.get('/a', a),\n  ],\n  plays: [],\n}\n`,
    `${imported}export const handlers = {\n  users: [\n    ${added},\n    http.get('/a', a),\n  ],\n  plays: [],\n}\n`,
  ],
  [
    'named groups that are variables',
    `${imported}const users = [] as const\nexport default { users, plays }\n`,
    `${imported}const users = [\n  ${added},\n] as const\nexport default { users, plays }\n`,
  ],
])('inserts a handler into a file with %s', (_, before, after) => {
  expect(insertHandler('handlers.ts', before, handler)).toBe(after)
})

test('an import of another package is not extended', () => {
  const before = `import { graphql } from 'graphql'\nimport { http, HttpResponse } from 'msw'\nexport const handlers = []\n`
  expect(insertHandler('handlers.js', before, graphql)).toBe(
    `import { graphql } from 'graphql'\nimport { http, HttpResponse, graphql as mockGraphql } from 'msw'\nexport const handlers = [\n  mockGraphql.query('GetUser', () => HttpResponse.json({ id: 1 })),\n]\n`,
  )
})

test.each([
  ['all of several files', `export * from './others.ts'\nexport * from './more.ts'`],
  ['a namespace', `export * as handlers from './others.ts'`],
  ['an imported namespace', `import * as handlers from './others.ts'\nexport { handlers }`],
  ['an arrow function', `export const handlers = () => []`],
  ['types', `export type * from './others.ts'`],
  ['a function', `export function handlers() { return [] }\nexport default []`],
  ['groups of a namespace', `import * as users from './users.ts'\nexport const handlers = { users, plays: [] }`],
  ['groups that begin with others', `export const handlers = { ...others, plays: [] }`],
  ['assigned later', `export let handlers = []\nhandlers = [a]`],
  ['assigned in a block', `export let handlers = create()\nif (flag) handlers = others()`],
  [
    'assigned in a function',
    `let all = []\nexport const set = () => { (all as X[]) = [a] }\nexport { all as handlers }`,
  ],
  ['assigned with others', `export let handlers = [], b\n;[b, ...handlers] = [a]`],
  ['assigned from an object', `export let handlers = create()\n;({ handlers } = others)`],
  ['assigned if they are missing', `export let handlers = create()\nhandlers ??= others()`],
  ['assigned in a loop', `export var handlers = create()\nfor (handlers of lists) use(handlers)`],
  ['declared again', `export var handlers = create()\nif (flag) { var handlers = others() }`],
  ['a group that is assigned later', `let users = []\nif (flag) users = [a]\nexport const handlers = { users }`],
  ['one handler', `${imported}export const handlers = http.get('/a', a)`],
  ['one handler of an endpoint', `import { graphql as g } from 'msw'\nexport default g.link('/a').query('A', a)`],
  ['one handler of events', `import { sse } from '@understudy/engine'\nexport const handlers = sse('/a', a)`],
  ['one handler of a namespace', `import * as msw from 'msw'\nexport const handlers = msw.http.get('/a', a)!`],
  ['a promise', `export const handlers = import('./all.ts').then((all) => all.handlers)`],
  ['the promise of a function', `export const handlers = (async () => [a])()`],
  ['a function that is not null', `export const handlers = (() => [])!`],
  ['an imported type', `import { type handlers } from './all.ts'\nexport { handlers }`],
  ['an exported type', `export { type handlers } from './all.ts'`],
  ['an exported type beside a default', `export { type default } from './all.ts'`],
  ['beside a variable with this name', `export { handlers } from './all.ts'\nconst handlers = []`],
  ['beside a variable, from all of a file', `export * from './all.ts'\nconst handlers = []`],
  ['missing', `export const other = []`],
])('handlers that are %s are not edited', (_, text) => {
  expect(() => insertHandler('handlers.ts', text, handler)).toThrow(/handlers\.ts exports no array.*\(US0846\)$/)
})

test('a file that cannot be parsed is not edited', () => {
  expect(() => insertHandler('handlers.ts', 'export const handlers = [', handler)).toThrow(/\(US0845\)$/)
})

test('the rest of a file stays the same, with any content', () => {
  const space = fc.constantFrom('', ' ', '\t', '\n', '\r\n', ' // http\n', '/* ] */', '\n\n  // [\n')
  const item = fc.constantFrom('a', '...b', "http.get('/a', () => [])", '/[/]/', '`${[1]}]`', "')'", '[]')
  const items = fc.array(fc.tuple(space, item, space), { maxLength: 4 })
  const head = fc.constantFrom(
    '',
    '#!/usr/bin/env node\n',
    "'use strict'\n",
    "import { http } from 'msw'\n",
    "import * as all from 'msw'; // All.\r\n",
    "import x, {\n\thttp,\n} from './own.js';\n",
    "import 'msw'\n",
    "import {} from 'msw'\n",
  )
  const type = fc.constantFrom(['', ''], [': Handler[]', ''], ['', ' as const'], ['', ' satisfies Handler[];'])
  const comma = fc.boolean()
  fc.assert(
    fc.property(head, space, items, type, comma, space, (first, gap, list, [before, after], isTrailing, end) => {
      const inside = list.map((parts) => parts.join('')).join(',') + (isTrailing && list.length > 0 ? ',' : '') + end
      const text = `${first}${gap}\nexport const handlers${before} = [${inside}]${after}\n`
      const result = insertHandler('handlers.ts', text, handler)
      expect(isSubsequence(text, result)).toBe(true)
      const { program } = parse(result, { sourceType: 'module', plugins: ['typescript'] })
      // The rest is in the result in at most three pieces, because there are at most two insertions.
      expect(countItems(program)).toBe(list.length + 1)
      expect(removeAdded(result, text)).toBe(true)
    }),
    { numRuns: 500 },
  )
})

function isSubsequence(part: string, whole: string): boolean {
  let index = 0
  for (const character of whole) if (character === part[index]) index += 1
  return index === part.length
}

function countItems(program: ReturnType<typeof parse>['program']): number {
  for (const statement of program.body) {
    if (statement.type !== 'ExportNamedDeclaration' || statement.declaration?.type !== 'VariableDeclaration') continue
    let init = statement.declaration.declarations[0]?.init
    while (init && init.type !== 'ArrayExpression' && 'expression' in init) init = init.expression as typeof init
    if (init?.type === 'ArrayExpression') return init.elements.length
  }
  return -1
}

/** Whether the text remains if two pieces are removed: one before the array, one after its bracket. */
function removeAdded(result: string, text: string): boolean {
  const call =
    /(?:all\.|mock)?[hH]ttp\.get\((['"])\/api\/users\1, \(\) => (?:all\.|mock)?HttpResponse\.json\(\{ id: 1 \}\)\),/.exec(
      result,
    )
  if (!call) return false
  const tail = result.slice(call.index + call[0].length)
  // What follows the call ends as the text ends, apart from the line break that was inserted.
  return text.endsWith(tail) || text.endsWith(tail.replace(/^\r?\n[ \t]*/, ''))
}
