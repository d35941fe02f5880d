/** Messages with positions, and a dev server whose answers the tests decide. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import { print } from '../../core/failure.ts'
import { Network } from '../../core/network/network.ts'
import { http } from '../../http/http.ts'
import { getPageState } from '../gate/gate.ts'
import { locatePrinted, type LocatingPage } from './locate-printed.ts'

const inModule = 'webpack-internal:///(app)/./src/a b.js:7:55'.replace(' ', '%20')
const inFile = 'http://localhost/static/main.js:120:9'

interface Asked {
  readonly places: readonly { readonly file: string; readonly line: number; readonly column: number }[]
  readonly answer: (...places: (object | null)[]) => void
  readonly fail: () => void
}

const network = new Network([])
const asked: Asked[] = []
let printed: string[] = []

/** The n-th request to the dev server. */
const request = (index: number): Promise<Asked> => vi.waitFor(() => asked[index] ?? expect.fail('No request yet.'))

vi.stubGlobal('fetch', (url: string, { body, headers }: { body: string; headers: Record<string, string> }) => {
  expect([url, headers['Accept']]).toEqual(['/panel/places', '*/*, understudy/passthrough-decided'])
  const { promise, resolve, reject } = Promise.withResolvers<Response>()
  const { places } = JSON.parse(body) as Pick<Asked, 'places'>
  asked.push({
    places,
    answer: (...found) => resolve(Response.json({ places: found })),
    fail: () => reject(new TypeError('Failed to fetch')),
  })
  return promise
})
const page: { panel?: string } & LocatingPage = getPageState()
locatePrinted({ '~network': network })
// Another bootstrap module of the page.
locatePrinted({ '~network': network })

beforeEach(() => {
  printed = []
  asked.length = 0
  for (const name of ['info', 'warn', 'error', 'log', 'groupCollapsed'] as const) {
    vi.spyOn(console, name).mockImplementation((...args: unknown[]) => {
      printed.push(`${name}: ${args.join(' ')}`)
    })
  }
  network.layers.replaceInitial([])
  page.panel = '/panel/'
})

afterEach(() => vi.restoreAllMocks())

test('a message waits for the positions of the dev server', async () => {
  print.warn('US0201', `near: GET /a\n  at ${inModule}\n  at ${inFile}`)
  const { places, answer } = await request(0)
  expect(printed).toEqual([])
  expect(places).toEqual([
    { file: inModule.replace(/:7:55$/, ''), line: 7, column: 55 },
    { file: inFile.replace(/:120:9$/, ''), line: 120, column: 9 },
  ])
  answer({ name: 'src/a b.js', line: 3, column: 5 }, null)
  await vi.waitFor(() => expect(printed).toHaveLength(1))
  expect(printed).toEqual([`warn: [understudy] near: GET /a (US0201)\n  at src/a b.js:3:5\n  at ${inFile}`])
})

test('known positions are printed at once, until the handlers change', async () => {
  print.info(inFile)
  ;(await request(0)).answer({ name: 'a.js', line: 1, column: 1 })
  await vi.waitFor(() => expect(printed).toHaveLength(1))
  print.error('US0201', `(${inFile}) and ${inFile}`)
  expect(printed[1]).toBe('error: [understudy] (a.js:1:1) and a.js:1:1 (US0201)')
  network.layers.replaceInitial([http.get('/', () => {})])
  print.info(inFile)
  expect(printed).toHaveLength(2)
  ;(await request(1)).answer({ name: 'a.js', line: 2, column: 1 })
  await vi.waitFor(() => expect(printed[2]).toBe('info: [understudy] a.js:2:1'))
})

test('a message without positions is printed at once, and messages stay in their order', async () => {
  print.info('first')
  expect(printed).toEqual(['info: [understudy] first'])
  print.warn('US0201', inFile)
  print.info('second')
  const error = new Error(inFile)
  print.failure('third', error)
  print.group([`fourth ${inModule}`], [['Handler', 'GET /a', inModule]])
  expect(printed).toHaveLength(1)
  const { places, answer } = await request(0)
  expect(places).toHaveLength(2)
  answer({ name: 'a.js', line: 1, column: 1 }, { name: 'b.js', line: 2, column: 2 })
  await vi.waitFor(() => expect(printed).toHaveLength(6))
  expect(printed.slice(1)).toEqual([
    'warn: [understudy] a.js:1:1 (US0201)',
    'info: [understudy] second',
    `error: [understudy] third ${String(error)}`,
    'groupCollapsed: [understudy] fourth b.js:2:2',
    'log: Handler GET /a b.js:2:2',
  ])
  expect(asked).toHaveLength(1)
})

test('what is printed while the dev server is asked waits for its own answer', async () => {
  print.info(inFile)
  const { answer } = await request(0)
  print.info(inModule)
  answer(null)
  await vi.waitFor(() => expect(printed).toEqual([`info: [understudy] ${inFile}`]))
  ;(await request(1)).answer({ name: 'b.js', line: 2, column: 2 })
  await vi.waitFor(() => expect(printed[1]).toBe('info: [understudy] b.js:2:2'))
})

test.each([
  ['does not answer', ({ fail }: Asked) => fail()],
  ['answers something else', ({ answer }: Asked) => answer()],
])('if the dev server %s, the positions stay, and it is not asked again', async (_, react) => {
  print.info(inFile)
  react(await request(0))
  await vi.waitFor(() => expect(printed).toEqual([`info: [understudy] ${inFile}`]))
  print.info(inFile)
  expect(printed).toHaveLength(2)
})

test('without a panel, messages are printed with the positions in the bundle', async () => {
  delete page.panel
  print.info(inFile)
  await vi.waitFor(() => expect(printed).toEqual([`info: [understudy] ${inFile}`]))
  expect(asked).toEqual([])
})

test('a panel that another module links in the same task is asked', async () => {
  delete page.panel
  print.info(inFile)
  page.panel = '/panel/'
  ;(await request(0)).answer({ name: 'a.js', line: 1, column: 1 })
  await vi.waitFor(() => expect(printed).toEqual(['info: [understudy] a.js:1:1']))
})

test('other lines, such as those of the trace, stay in the order of the messages', async () => {
  const line = page.locateLines?.((text) => console.log(text))
  print.info('first')
  line?.(`second ${inFile}`)
  print.info('third')
  ;(await request(0)).answer({ name: 'a.js', line: 1, column: 1 })
  await vi.waitFor(() => expect(printed).toHaveLength(3))
  expect(printed.slice(1)).toEqual(['log: second a.js:1:1', 'info: [understudy] third'])
})

test('an error of handlers that were edited without success gets the new position', async () => {
  page.locateLines?.((text) => console.log(text))(inFile)
  ;(await request(0)).answer({ name: 'a.js', line: 1, column: 1 })
  await vi.waitFor(() => expect(printed).toEqual(['log: a.js:1:1']))
  page.locateLines?.((text) => console.log(text))(inFile)
  ;(await request(1)).answer({ name: 'a.js', line: 2, column: 1 })
  await vi.waitFor(() => expect(printed).toEqual(['log: a.js:1:1', 'log: a.js:2:1']))
})

test('a value that the console cannot show does not stop the messages', async () => {
  vi.mocked(console.error).mockImplementationOnce(() => {
    throw new TypeError('Revoked.')
  })
  print.failure(inFile, {})
  print.info('second')
  ;(await request(0)).answer({ name: 'a.js', line: 1, column: 1 })
  await vi.waitFor(() => expect(printed).toHaveLength(2))
  expect(printed).toEqual([`error: [understudy] ${inFile}`, 'info: [understudy] second'])
})

test('when the page is left, the messages are printed at once, and not again', async () => {
  print.info(inFile)
  const { answer } = await request(0)
  dispatchEvent(new PageTransitionEvent('pagehide'))
  expect(printed).toEqual([`info: [understudy] ${inFile}`])
  answer({ name: 'a.js', line: 1, column: 1 })
  await new Promise((resolve) => setTimeout(resolve))
  expect(printed).toHaveLength(1)
  print.info(inFile)
  await vi.waitFor(() => expect(printed[1]).toBe('info: [understudy] a.js:1:1'))
})
