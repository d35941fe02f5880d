import { http, HttpResponse, type Handler } from '@understudy/engine'
import { expect, test, vi } from 'vitest'

import type { UnderstudyParameters } from './parameters.ts'
import { listOf, readHandlers, type StoryHandlers } from './read-handlers.ts'

const answer = (): Response => HttpResponse.json({})
const create = (path: string): Handler => http.get(path, answer)
const users = create('/users')
const posts = create('/posts')
const login = create('/login')

type Parameters = Record<string, unknown>
const story = (parameters: Parameters, own?: Parameters, preview?: Parameters) => ({
  name: 'Users/Error',
  args: { role: 'admin' },
  globals: { locale: 'de' },
  parameters,
  own,
  preview,
})
const read = (parameters: Parameters, own?: Parameters, preview?: Parameters): StoryHandlers =>
  readHandlers(story(parameters, own, preview)) as StoryHandlers
const levelsOf = ({ groups }: StoryHandlers): string[] => groups.map(({ level, name }) => `${level} ${name}`)

test.each<[name: string, parameters: Parameters, handlers: Handler[]]>([
  ['nothing', {}, []],
  ['a list', { handlers: [users, posts] }, [users, posts]],
  ['named groups', { handlers: { users, others: [posts, login] } }, [users, posts, login]],
  ['a group that is switched off', { handlers: { users, others: null } }, [users]],
  ['a group that is not given', { handlers: { users, others: undefined } }, [users]],
  ['a function', { handlers: () => [posts] }, [posts]],
  ['a function that returns groups', { handlers: () => ({ posts: [posts], users: null }) }, [posts]],
  ['a list under another name', { msw: [users] }, [users]],
  ['a list below another name', { msw: { handlers: [users] } }, [users]],
  ['groups below another name', { msw: { handlers: { users, login } } }, [users, login]],
  ['lists in a list below another name', { msw: { handlers: [[users, posts], login, false] } }, [users, posts, login]],
  ['groups that are false below another name', { msw: { handlers: { users: false, login: [false, login] } } }, [login]],
  ['both names', { handlers: [users], msw: { handlers: [login] } }, [users, login]],
])('reads %s', (_name, parameters, handlers) => {
  const found = read(parameters)
  expect(listOf(found)).toEqual(handlers)
  expect(found.problems).toEqual([])
})

test('a list in a list, and false, are problems of our own parameter', () => {
  const { problems } = read({ handlers: [[users], false] })
  expect(problems).toHaveLength(2)
  expect(read({ handlers: { users: false } }).problems).toHaveLength(1)
})

test("a story's own groups answer before those that it inherits", () => {
  const parameters = { handlers: { everything: http.all('*', answer), users } }
  expect(read(parameters, { handlers: { users } }).groups.map(({ name }) => name)).toEqual(['users', 'everything'])
})

test.each(['handlers', 'msw'])(
  'groups of %s belong to the level that declares them, and answer in that order',
  (key) => {
    const session = [create('/session')]
    const found = read({ [key]: { session, posts, users } }, { [key]: { users } }, { [key]: { session, users: posts } })
    expect(levelsOf(found)).toEqual(['story users', 'component posts', 'preview session'])
  },
)

test.each([
  ['story', [users], undefined],
  ['component', undefined, undefined],
  ['preview', undefined, [users]],
] as const)('a list is of the level that gives it: %s', (level, own, preview) => {
  const list = own ?? preview ?? [users]
  expect(levelsOf(read({ handlers: list }, own && { handlers: own }, preview && { handlers: preview }))).toEqual([
    `${level} null`,
  ])
})

test('handlers that a function returns belong to the level of the function', () => {
  const give = (): object => ({ users, posts: [posts] })
  expect(levelsOf(read({ handlers: give }, {}, { handlers: give }))).toEqual(['preview users', 'preview posts'])
  expect(levelsOf(read({ handlers: give }, { handlers: give }))).toEqual(['story users', 'story posts'])
  expect(levelsOf(read({ handlers: give }, { handlers: () => [] }))).toEqual(['component users', 'component posts'])
})

test('a function gets args, globals and parameters', () => {
  let told: unknown
  const parameters = { handlers: (context: unknown) => [((told = context), users)], locale: 'fr' }
  read(parameters)
  expect(told).toEqual({ args: { role: 'admin' }, globals: { locale: 'de' }, parameters })
})

test('a function may be asynchronous', async () => {
  const found = readHandlers(story({ handlers: () => Promise.resolve([users]) }))
  expect(found).toBeInstanceOf(Promise)
  expect(listOf(await found)).toEqual([users])
})

test('a function may return an object that has then() only', async () => {
  const loaded = {
    // oxlint-disable-next-line unicorn/no-thenable
    then(done: (handlers: Handler[]) => void) {
      done([users])
    },
  }
  const found = readHandlers(story({ handlers: () => loaded as PromiseLike<Handler[]> }))
  expect(listOf(await found)).toEqual([users])
})

test('a function may be asynchronous where zone.js replaces Promise', async () => {
  vi.stubGlobal('Promise', class<Value> extends Promise<Value> {})
  const found = readHandlers(story({ handlers: async () => [users] }))
  expect(listOf(await found)).toEqual([users])
  vi.unstubAllGlobals()
})

test.each<[name: string, parameters: Parameters, handlers: Handler[], problem: string]>([
  [
    'an array that was not spread',
    { handlers: { users: [users, [posts]] } },
    [users],
    'item 2 of parameters.handlers.users is an array. Spread it, with three dots: (...handlers).',
  ],
  [
    'an array with another value',
    { handlers: ['nothing', posts] },
    [posts],
    'item 1 of parameters.handlers is the string "nothing". Use a function like http.get(path, resolver).',
  ],
  [
    'a handler without an array',
    { handlers: users },
    [],
    'parameters.handlers is one handler. Put it into an array: [handler].',
  ],
  [
    'a group that is not an array',
    { handlers: { users: 'all', posts } },
    [posts],
    'the group parameters.handlers.users is the string "all". A group is a handler, an array of them, or null.',
  ],
  ['text', { handlers: 'users' }, [], 'parameters.handlers is the string "users". Pass an array of handlers,'],
  [
    'a function that throws',
    {
      handlers: () => {
        throw new TypeError('no role')
      },
      msw: [login],
    },
    [login],
    'the function parameters.handlers threw (TypeError: no role). Fix it. It runs again when an arg changes.',
  ],
])('reports %s with story and parameter, and keeps the other handlers', (_name, parameters, handlers, problem) => {
  const found = read(parameters)
  expect(listOf(found)).toEqual(handlers)
  expect(found.problems).toEqual([
    expect.stringContaining(`Failed to read the handlers of the story "Users/Error": ${problem}`),
  ])
})

test('a promise that rejects is a problem too', async () => {
  const found = await readHandlers(story({ handlers: () => Promise.reject(new Error('offline')) }))
  expect(found.problems).toEqual([expect.stringContaining('threw (Error: offline)')])
})

test.each<[understudy: unknown, problem: string]>([
  [
    { onUnhandledRequest: 'fail' },
    'understudy.onUnhandledRequest is the string "fail". It takes "bypass", "warn" or "error".',
  ],
  [
    { onUnhandledRequst: 'error' },
    'there is no parameter parameters.understudy.onUnhandledRequst. The parameters are: ',
  ],
  [{ isolate: 'no' }, 'understudy.isolate is the string "no". It takes true or false.'],
  [{ scenario: [1] }, 'understudy.scenario is an array. It takes the name of a scenario, or a list of names.'],
  [
    { clearCaches: { a: 1 } },
    'understudy.clearCaches is an object with the keys a. It takes a function, or an object of functions.',
  ],
  [{ toString: 1 }, 'there is no parameter parameters.understudy.toString.'],
  ['error', 'parameters.understudy is the string "error". It takes an object.'],
])('the parameters %j are reported', (understudy, problem) => {
  const found = read({ handlers: [users], understudy })
  expect(listOf(found)).toEqual([users])
  expect(found.problems).toEqual([expect.stringContaining(problem)])
  expect(found.problems[0]).toMatch(/^Failed to read the parameters of the story "Users\/Error": .* \(US0910\)$/)
})

test('valid parameters are not reported', () => {
  // All parameters, so that a new one must be here and in the check.
  const valid: Required<NonNullable<UnderstudyParameters['understudy']>> = {
    onUnhandledRequest: 'error',
    clearCaches: { a: () => {} },
    scenario: ['a', 'b'],
    isolate: false,
  }
  expect(read({ understudy: valid }).problems).toEqual([])
  expect(read({ understudy: { clearCaches: () => {}, scenario: 'a', isolate: undefined } }).problems).toEqual([])
  expect(read({ understudy: undefined }).problems).toEqual([])
})
