import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'

import { ScenarioSwitch } from '../core/scenarios/scenario-switch.ts'
import { http, HttpResponse, type Handler } from '../index.ts'
import { withScenarios, type Scenarios } from '../scenarios.ts'
import { setupServer } from './setup-server.ts'

const url = 'http://api.test/user'
const answer = (body: string, path = url): Handler => http.get(path, () => HttpResponse.text(body))
const read = async (address = url): Promise<string> => (await fetch(address)).text()

const shared = answer('shared', 'http://api.test/shared')
const server = withScenarios(setupServer(answer('initial'), shared, answer('plays', 'http://api.test/plays')), {
  empty: [answer('empty')],
  slow: [answer('slow'), answer('slow plays', 'http://api.test/plays')],
  nothing: [],
  shared: [answer('by the scenario', 'http://api.test/shared'), shared],
})
beforeAll(() => server.listen({ onUnhandledRequest: 'error' }))
afterEach(() => server.resetHandlers())
afterAll(() => server.close())

describe('a scenario', () => {
  test('answers before the handlers, and ends', async () => {
    server.scenario('empty')
    expect([await read(), await read('http://api.test/plays')]).toEqual(['empty', 'plays'])
    server.scenario()
    expect(await read()).toBe('initial')
  })

  test('replaces the previous one', async () => {
    server.scenario('slow')
    server.scenario('empty')
    expect([await read(), await read('http://api.test/plays')]).toEqual(['empty', 'plays'])
    server.scenario('nothing')
    expect(await read()).toBe('initial')
  })

  test('is combined with another: the first name has precedence', async () => {
    server.scenario('empty', 'slow')
    expect([await read(), await read('http://api.test/plays')]).toEqual(['empty', 'slow plays'])
    server.scenario('slow', 'empty', 'slow')
    expect(await read()).toBe('slow')
  })

  test('answers after handlers that were added at run time', async () => {
    server.use(answer('runtime'))
    server.scenario('empty')
    expect(await read()).toBe('runtime')
  })

  test('ends with resetHandlers()', async () => {
    server.scenario('empty')
    server.resetHandlers()
    expect(await read()).toBe('initial')
  })
})

describe('in a boundary', () => {
  test('a scenario stays inside', async () => {
    const inside = server.boundary(async () => {
      server.scenario('empty')
      return read()
    })
    expect(await Promise.all([inside(), read()])).toEqual(['empty', 'initial'])
    expect(await read()).toBe('initial')
  })

  test('a scenario replaces the one outside the boundary', async () => {
    server.scenario('slow')
    const seen = await server.boundary(async () => {
      const before = await read('http://api.test/plays')
      server.scenario('empty')
      const after = [await read(), await read('http://api.test/plays')]
      const inner = await server.boundary(async () => {
        const inherited = await read()
        server.scenario()
        return [inherited, await read()]
      })()
      return [before, ...after, ...inner]
    })()
    expect(seen).toEqual(['slow plays', 'empty', 'plays', 'empty', 'initial'])
    expect(await read()).toBe('slow')
  })

  test('a handler that is also an initial handler stays initial when its scenario ends', async () => {
    server.scenario('shared')
    const seen = await server.boundary(async () => {
      server.scenario()
      return read('http://api.test/shared')
    })()
    expect(seen).toBe('shared')
  })
})

describe('an unknown name', () => {
  const switchTo = (name: string) => () => server.scenario(name as 'empty')

  test.each([
    ['emtpy', 'Did you mean "empty"? The scenarios are: "empty", "slow", "nothing", "shared".'],
    ['payment-fails', 'The scenarios are: "empty", "slow", "nothing", "shared".'],
    ['__proto__', 'The scenarios are: '],
    ['constructor', 'The scenarios are: '],
    ['', 'The scenarios are: '],
  ])('"%s" is an error that lists the names', (name, action) => {
    expect(switchTo(name)).toThrow(
      `Failed to activate the scenario "${name}": withScenarios() has no scenario of this name. ${action}`,
    )
  })

  test('changes nothing', async () => {
    server.scenario('empty')
    expect(() => server.scenario('slow', 'unknown' as 'empty')).toThrow('(US0143)')
    expect(await read()).toBe('empty')
  })

  test('is shortened if it is long', () => {
    expect(switchTo('x'.repeat(5000))).toThrow(/^Failed to activate the scenario "x{100}…"/)
  })
})

describe('refuses', () => {
  test.each<[name: string, given: unknown, message: string]>([
    ['a list', [answer('a')], 'they are an array. Export a record of named arrays'],
    ['a function', () => ({}), 'they are the function "anonymous". Export'],
    ['null', null, 'they are null. Export'],
    ['a handler as a scenario', { one: answer('a') }, 'the scenario "one" is an instance of HttpHandler. Put its'],
    ['another value as a scenario', { one: null }, 'the scenario "one" is null. Put its handlers into an array'],
    ['an item that is not a handler', { one: [answer('a'), 'b'] }, 'item 2 of the scenario "one" is the string "b"'],
    ['a name with a comma', { 'a,b': [] }, 'the name "a,b" is empty, contains a comma'],
    ['an empty name', { '': [] }, 'the name "" is empty'],
    ['a name with a space at its end', { 'a ': [] }, 'the name "a " is empty'],
  ])('%s', (_name, given, message) => {
    const scenarios = given as Scenarios
    expect(() => withScenarios(setupServer(), scenarios)).toThrow(
      `Failed to read the scenarios of withScenarios(): ${message}`,
    )
  })
})

test('the name of an inherited property is an ordinary name', async () => {
  const odd = withScenarios(setupServer(answer('initial')), JSON.parse('{}') as Scenarios)
  expect(() => odd.scenario('toString')).toThrow('exports no scenarios')
  const own = Object.fromEntries([['__proto__', [answer('own')]]])
  const named = withScenarios(setupServer(answer('initial')), own)
  named.listen()
  named.scenario('__proto__')
  expect(await read()).toBe('own')
  named.close()
})

describe('an edit', () => {
  const { '~network': network } = setupServer(answer('initial'))
  const control = new ScenarioSwitch(network)

  test('keeps the active scenario active, with its new handlers', () => {
    const [first, second] = [answer('first'), answer('second')]
    control.take('module', { empty: [first], slow: [] }, 'handlers.ts')
    control.activate(['empty'])
    control.take('module', { empty: [second] }, 'handlers.ts')
    expect(control.active).toEqual(['empty'])
    expect(network.layers.entries()[0]?.handler).toBe(second)
  })

  test('that removes the active scenario is an error, and changes nothing', () => {
    const before = network.layers.entries()
    expect(() => control.take('module', undefined, 'handlers.ts')).toThrow('handlers.ts exports no scenarios')
    expect(() => control.take('module', { other: [] }, 'handlers.ts')).toThrow('The scenarios are: "other".')
    expect(network.layers.entries()).toEqual(before)
    expect(control.names).toEqual(['empty'])
  })

  test('of one module leaves the scenarios of another', () => {
    const remote = answer('remote')
    control.take('remote', { empty: [remote], offline: [] }, 'remote.ts')
    expect(control.names).toEqual(['empty', 'offline'])
    expect(network.layers.entries().map(({ handler }) => handler)).toContain(remote)
    control.take('remote', undefined, 'remote.ts')
    expect(control.names).toEqual(['empty'])
    expect(network.layers.entries().map(({ handler }) => handler)).not.toContain(remote)
  })
})
