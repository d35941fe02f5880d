import { expect, test } from 'vitest'

import { createExchange } from '../testing/create-exchange.ts'
import { toHandlerCode } from './handler-code.ts'
import { insertHandler } from './insert-handler.ts'

const handler = toHandlerCode(createExchange(), '/api/users')
const added = `http.get('/api/users', () => HttpResponse.json({ id: 1 }))`
const imported = `import { http, HttpResponse } from '@understudy/engine'\n`
const list = (others: string, indent = ''): string => `[\n${indent}  ${added},\n${indent}  ...${others},\n${indent}]`

test.each<[what: string, before: string, after: string]>([
  [
    'a function creates',
    `${imported}\nexport const handlers = createHandlers(one, [two])\n`,
    `${imported}\nexport const handlers = ${list('createHandlers(one, [two])')}\n`,
  ],
  [
    'a function returns, with a type and a comment',
    `${imported}\nexport const handlers: Handler[] = createHandlers() as Handler[] // All.\n`,
    `${imported}\nexport const handlers: Handler[] = ${list('createHandlers()')} as Handler[] // All.\n`,
  ],
  [
    'are not null',
    `${imported}\nexport const handlers = lists.get('a')!\n`,
    `${imported}\nexport const handlers = ${list("lists.get('a')!")}\n`,
  ],
  [
    'are not null, with a type',
    `${imported}\nexport default (lists.a as Handler[])! satisfies Handler[]\n`,
    `${imported}\nexport default ${list('(lists.a as Handler[])!')} satisfies Handler[]\n`,
  ],
  [
    'are loaded with a promise',
    `${imported}\nexport default await load().then(read)\n`,
    `${imported}\nexport default ${list('await load().then(read)')}\n`,
  ],
  [
    'are loaded',
    `${imported}\nexport default await load('./all')\n`,
    `${imported}\nexport default ${list("await load('./all')")}\n`,
  ],
  [
    'depend on a condition',
    `${imported}\nexport const handlers = isDemo ? demo : all\n`,
    `${imported}\nexport const handlers = ${list('(isDemo ? demo : all)')}\n`,
  ],
  [
    'a variable of the file has',
    `${imported}\nconst handlers = all.concat(others)\nsetupServer(...handlers)\nexport { handlers }\n`,
    `${imported}\nconst handlers = ${list('all.concat(others)')}\nsetupServer(...handlers)\nexport { handlers }\n`,
  ],
  [
    'another file exports',
    `// All.\nexport { handlers } from './all.ts'\n`,
    `${imported}\n// All.\nimport { handlers as otherHandlers } from './all.ts'\n\nexport const handlers = ${list('otherHandlers')}\n`,
  ],
  [
    'another file exports with other values',
    `export { scenarios, all as handlers, state } from "./all";\n`,
    `${imported.trimEnd().replaceAll("'", '"')};\nimport { all as otherHandlers } from "./all";\nexport { scenarios, state } from "./all";\n\nexport const handlers = ${list('otherHandlers').replaceAll("'", '"')};\n`,
  ],
  [
    'another file exports as the last value',
    `${imported}export { scenarios, handlers } from './all'\n`,
    `${imported}import { handlers as otherHandlers } from './all'\nexport { scenarios } from './all'\n\nexport const handlers = ${list('otherHandlers')}\n`,
  ],
  [
    'another file exports, with comments',
    `${imported}export { /* all */ handlers /* , */ } from './all'\n`,
    `${imported}import { /* all */ handlers as otherHandlers /* , */ } from './all'\n\nexport const handlers = ${list('otherHandlers')}\n`,
  ],
  [
    'another file exports with other values and comments',
    `${imported}export { state, handlers /* all, */, // All.\n  scenarios } from './all'\n`,
    `${imported}import { handlers as otherHandlers } from './all'\nexport { state, /* all, */ // All.\n  scenarios } from './all'\n\nexport const handlers = ${list('otherHandlers')}\n`,
  ],
  [
    'another file exports as the last value, with comments',
    `${imported}export { scenarios /* , */, // All.\n  handlers /* all */ } from './all'\n`,
    `${imported}import { handlers as otherHandlers } from './all'\nexport { scenarios /* , */ // All.\n   /* all */ } from './all'\n\nexport const handlers = ${list('otherHandlers')}\n`,
  ],
  [
    'another file exports by default',
    `export { default } from './all.ts'\n`,
    `${imported}import { default as otherHandlers } from './all.ts'\n\nexport default ${list('otherHandlers')}\n`,
  ],
  [
    'another file exports by default, with a name',
    `export { default as handlers } from './all.json' with { type: 'json' }\n`,
    `${imported}import { default as otherHandlers } from './all.json' with { type: 'json' }\n\nexport const handlers = ${list('otherHandlers')}\n`,
  ],
  [
    'another file exports with all its values',
    `export type * from './types.ts'\nexport * from './all.ts'\n`,
    `${imported}\nexport type * from './types.ts'\nimport { handlers as otherHandlers } from './all.ts'\nexport * from './all.ts'\n\nexport const handlers = ${list('otherHandlers')}\n`,
  ],
  [
    'are imported and exported',
    `import { handlers } from './all.ts'\nexport { handlers }\n`,
    `import { handlers } from './all.ts'\n${imported}const allHandlers = ${list('handlers')}\n\nexport { allHandlers as handlers }\n`,
  ],
  [
    'are in an object with the name of an API',
    `import { graphql } from './all.ts'\n${imported}\nexport default graphql.handlers\n`,
    `import { graphql } from './all.ts'\n${imported}\nexport default ${list('graphql.handlers')}\n`,
  ],
  [
    'are imported and exported by default',
    `import all from './all.ts'\n${imported}\nexport default all\n`,
    `import all from './all.ts'\n${imported}\nexport default ${list('all')}\n`,
  ],
  [
    'are the first group, of another file',
    `import { users } from './users.ts'\n${imported}\nexport const handlers = { users, plays: [] }\n`,
    `import { users } from './users.ts'\n${imported}\nexport const handlers = { users: ${list('users')}, plays: [] }\n`,
  ],
  [
    'are the first group, which a function creates',
    `${imported}\nexport const handlers = {\n  users: createUsers(),\n}\n`,
    `${imported}\nexport const handlers = {\n  users: ${list('createUsers()', '  ')},\n}\n`,
  ],
  [
    'are exported with a name that the file uses',
    `export { handlers } from './all.ts'\nconst otherHandlers = 1\n`,
    `${imported}import { handlers as mockOtherHandlers } from './all.ts'\n\nexport const handlers = ${list('mockOtherHandlers')}\nconst otherHandlers = 1\n`,
  ],
])('adds a handler before those that %s', (_what, before, after) => {
  const result = insertHandler('handlers.ts', before, handler)
  expect(result).toBe(after)
  // Another handler becomes an item of the array that the file has now.
  const again = insertHandler('handlers.ts', result, toHandlerCode(createExchange(), '/api/plays'))
  expect(again.replace(/\n *http\.get\(["']\/api\/plays["'].*\),(?=\n)/, '')).toBe(after)
})
