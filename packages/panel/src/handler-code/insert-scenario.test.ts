import { parse } from '@babel/parser'
import fc from 'fast-check'
import { expect, test } from 'vitest'

import { createExchange } from '../testing/create-exchange.ts'
import { insertScenario } from './insert-scenario.ts'
import { toScenarioCode } from './scenario-code.ts'

const code = (name: string) =>
  toScenarioCode(name, [{ exchange: createExchange({ header: 'GET /api/users' }), answer: 'response', delay: 0 }])
const insert = (text: string, name = 'fresh', file = 'handlers.ts') => insertScenario(file, text, name, code(name))

const handler = `http.get('/api/users', () => HttpResponse.json({ id: 1 }))`
/** The scenario as a property of an object that is not indented. */
const added = `  fresh: [\n    ${handler},\n  ],`
const head = `import { http, HttpResponse } from '@understudy/engine'\n\nexport const handlers = []`

test.each<[name: string, before: string, after: string]>([
  [
    'no scenarios',
    `${head} // All.\n\nlog()\n`,
    `${head} // All.\n\nexport const scenarios = {\n${added}\n}\n\nlog()\n`,
  ],
  [
    'a statement that begins with a semicolon',
    `${head}\n;[log].forEach(run)\n`,
    `${head}\n\nexport const scenarios = {\n${added}\n}\n;[log].forEach(run)\n`,
  ],
  ['no line break at the end', head, `${head}\n\nexport const scenarios = {\n${added}\n}`],
  [
    'handlers that are exported later',
    `${head.replace('export ', '')}\nexport { handlers }\n`,
    `${head.replace('export ', '')}\n\nexport const scenarios = {\n${added}\n}\nexport { handlers }\n`,
  ],
  [
    'handlers of another file',
    `export { handlers } from './all.ts'\n`,
    `import { http, HttpResponse } from '@understudy/engine'\n\nexport { handlers } from './all.ts'\n\nexport const scenarios = {\n${added}\n}\n`,
  ],
  ['an empty object', `${head}\nexport const scenarios = {}\n`, `${head}\nexport const scenarios = {\n${added}\n}\n`],
  [
    'an empty object with a comment',
    `${head}\nexport const scenarios = {\n  // Soon.\n}\n`,
    `${head}\nexport const scenarios = {\n  // Soon.\n${added}\n}\n`,
  ],
  [
    'an empty object of several lines',
    `${head}\nexport const scenarios = {\n}\n`,
    `${head}\nexport const scenarios = {\n${added}\n}\n`,
  ],
  [
    'a type annotation',
    `${head}\nexport const scenarios: Scenarios = {\n  a: [], // A.\n}\n`,
    `${head}\nexport const scenarios: Scenarios = {\n  a: [], // A.\n${added}\n}\n`,
  ],
  [
    'no comma after the last scenario',
    `${head}\nexport const scenarios = {\n  a: [] // A, b.\n  /* , */\n}\n`,
    `${head}\nexport const scenarios = {\n  a: [], // A, b.\n  /* , */\n${added}\n}\n`,
  ],
  [
    'the bracket on the line of the last scenario',
    `${head}\nexport const scenarios = {\n  a: [] }\n`,
    `${head}\nexport const scenarios = {\n  a: [],\n${added}\n}\n`,
  ],
  [
    'all in one line',
    `${head}\nexport const scenarios = { a: [], ...others } // All.\n`,
    `${head}\nexport const scenarios = {\n  a: [], ...others,\n${added}\n} // All.\n`,
  ],
  [
    'a comment at the end of the line',
    `${head}\nexport const scenarios = { a: [] // A.\n}\n`,
    `${head}\nexport const scenarios = {\n  a: [], // A.\n${added}\n}\n`,
  ],
  [
    '"as const satisfies"',
    `${head}\nexport const scenarios = {\n  a: [],\n} as const satisfies Scenarios\n`,
    `${head}\nexport const scenarios = {\n  a: [],\n${added}\n} as const satisfies Scenarios\n`,
  ],
  [
    'a variable that is exported later',
    `${head}\nconst all = {\n  a: [],\n}\nexport { all as scenarios }\n`,
    `${head}\nconst all = {\n  a: [],\n${added}\n}\nexport { all as scenarios }\n`,
  ],
  [
    'the scenario',
    `${head}\nexport const scenarios = {\n  // New.\n  fresh: [a, b], // Two.\n  c,\n}\n`,
    `${head}\nexport const scenarios = {\n  // New.\n  fresh: [\n    ${handler},\n  ], // Two.\n  c,\n}\n`,
  ],
  [
    'the scenario with a type',
    `${head}\nexport const scenarios = {\n  fresh: [a, b] satisfies Handler[],\n}\n`,
    `${head}\nexport const scenarios = {\n  fresh: [\n    ${handler},\n  ] satisfies Handler[],\n}\n`,
  ],
  [
    'the scenario in quotes, twice',
    `${head}\nexport const scenarios = {\n  fresh: a,\n  'fresh': make(),\n}\n`,
    `${head}\nexport const scenarios = {\n  fresh: a,\n  'fresh': [\n    ${handler},\n  ],\n}\n`,
  ],
  [
    'the scenario in brackets',
    `${head}\nexport const scenarios = {\n  [\`fresh\`]: a,\n  [old]: b,\n}\n`,
    `${head}\nexport const scenarios = {\n  [\`fresh\`]: [\n    ${handler},\n  ],\n  [old]: b,\n}\n`,
  ],
  [
    'the scenario as a variable',
    `${head}\nexport const scenarios = {\n  fresh,\n}\n`,
    `${head}\nexport const scenarios = {\n${added}\n}\n`,
  ],
  [
    'the scenario as an accessor',
    `${head}\nexport const scenarios = {\n  get fresh() { return [] },\n}\n`,
    `${head}\nexport const scenarios = {\n${added}\n}\n`,
  ],
  [
    'scenarios before a spread',
    `${head}\nexport const scenarios = {\n  ...others,\n  fresh: a,\n}\n`,
    `${head}\nexport const scenarios = {\n  ...others,\n${added}\n}\n`,
  ],
  [
    'tabs, double quotes, semicolons and CRLF',
    `import { http } from "msw";\r\nexport const handlers = [];\r\nexport const scenarios = {\r\n\ta: [],\r\n};\r\n`,
    `import { http, HttpResponse } from "msw";\r\nexport const handlers = [];\r\nexport const scenarios = {\r\n\ta: [],\r\n\tfresh: [\r\n\t\thttp.get("/api/users", () => HttpResponse.json({ id: 1 })),\r\n\t],\r\n};\r\n`,
  ],
])('writes a scenario into a file with %s', (_, before, after) => {
  const { text } = insert(before)
  expect(text).toBe(after)
})

test('says whether a scenario is replaced', () => {
  const before = `${head}\nexport const scenarios = { a: [] }\n`
  expect(insert(before, 'a').isReplaced).toBe(true)
  expect(insert(before, 'b').isReplaced).toBe(false)
  expect(insert(head, 'a').isReplaced).toBe(false)
})

test('JavaScript and JSX files are edited', () => {
  const before = `${head}\nexport const page = <p>{1}</p>\n`
  for (const file of ['a.js', 'a.mjs', 'a.jsx', 'a.tsx']) expect(insert(before, 'fresh', file).text).toContain(added)
})

test.each([
  ['of another file', `export { scenarios } from './others.ts'`],
  ['as a namespace', `export * as scenarios from './others.ts'`],
  ['imported', `import { scenarios } from './others.ts'\nexport { scenarios }`],
  ['of a call', `export const scenarios = create({})`],
  ['as a function', `export function scenarios() {}`],
  ['without a value', `export let scenarios`],
  ['perhaps of another file', `export * from './others.ts'`],
  ['with others behind the same name', `export const scenarios = { fresh: [], ...others }`],
])('scenarios %s are not edited', (_, rest) => {
  expect(() => insert(`${head}\n${rest}\n`)).toThrow(
    /^Failed to save the scenario: handlers\.ts .*\. Copy the code .*\(US0867\)$/,
  )
})

test.each([
  'const scenarios = {}',
  'function scenarios() {}',
  `import scenarios from './others.ts'`,
  'const { scenarios } = others',
  'export class scenarios {}',
])('another value with the name is not exported: %s', (rest) => {
  expect(() => insert(`${head}\n${rest}\n`)).toThrow(/^Failed to save the scenario: handlers\.ts has .*\(US0868\)$/)
})

test('a file that is not a module, or that cannot be parsed, is not edited', () => {
  expect(() => insert('module.exports = { handlers: [] }')).toThrow(/exports nothing.*\(US0867\)$/)
  expect(() => insert('export const handlers = [')).toThrow(/\(US0845\)$/)
})

test.each([
  'payment-fails',
  '1',
  'a b',
  "it's",
  '${x}',
  '`',
  '__proto__',
  'constructor',
  'ünï',
  '../x',
  '*/',
  '\u2028a',
])('the name %s is a property of the scenarios', (name) => {
  for (const rest of ['', '\nexport const scenarios = {}', '\nexport const scenarios = { __proto__: null, a: [] }']) {
    const once = insert(head + rest, name)
    expect(once.isReplaced).toBe(false)
    expect(readScenarios(once.text)).toContain(name)
    const twice = insert(once.text, name)
    expect(twice).toEqual({ text: once.text, isReplaced: true })
  }
})

/** Evaluates the scenarios of a file, and returns their names. */
function readScenarios(text: string): string[] {
  const body = text.replace(/^import .*$/gm, '').replaceAll('export const', 'const')
  const api = { get: () => null, json: () => null }
  // oxlint-disable-next-line no-implied-eval
  const scenarios = new Function('http', 'HttpResponse', `${body}\nreturn scenarios`)(api, api) as object
  return Object.keys(scenarios)
}

test('the rest of a file stays the same', () => {
  const space = fc.constantFrom('', ' ', '\n', '\n\n  ', ' // }, [\n', '/* , } */', '\n  // a: [],\n')
  const properties = fc.array(fc.constantFrom('a: []', 'b', '...c', `'d, }': [",", '}']`, 'e() {}', '[f]: g as []'))
  fc.assert(
    fc.property(space, space, space, properties, fc.boolean(), (one, two, three, list, hasComma) => {
      const inner = list.join(`${two},${one}`) + three + (hasComma && list.length > 0 ? ',' : '') + one
      const before = `${head}\nexport const scenarios = {${two}${inner}}// End.\nmore()\n`
      const { text } = insert(before)
      const strip = (each: string): string => each.replaceAll(/\s|,(?=\s*(?:\/\/.*\s*|\/\*.*?\*\/\s*)*\}\/\/ End)/g, '')
      const known = strip(before)
      const now = strip(text.replace(/fresh: \[\s*http.*\s*\],/, ''))
      // A comma after the last property is the only other character.
      expect([known, known.replace(/,(?=[^,]*$)/, '')].map((each) => each.replaceAll(',', ''))).toContain(
        now.replaceAll(',', ''),
      )
      expect(() => parse(text, { sourceType: 'module', plugins: ['typescript'] })).not.toThrow()
      expect(insert(text)).toEqual({ text, isReplaced: true })
    }),
    { numRuns: 500 },
  )
})
