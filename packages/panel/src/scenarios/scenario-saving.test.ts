/** Scenarios as the dev server saves them, in real files. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { parse } from '@babel/parser'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'

import { exchangesLimit } from '../handler-code/exchange.ts'
import type { ScenarioItem } from '../handler-code/scenario-item.ts'
import { HandlerSaving } from '../save/handler-saving.ts'
import { parseSaveRequest, type SavePreview, type SaveRequest } from '../save/save-request.ts'
import { createExchange } from '../testing/create-exchange.ts'

const source = `import { http } from 'msw'\r\n\r\nexport const handlers = [\r\n\thttp.get('/a', a)\r\n]`
const handler = `http.get('/a', () => HttpResponse.json({ token: 'redacted' })),`
const item: ScenarioItem = {
  exchange: createExchange({ header: 'GET /a', text: '{"token":"abc"}' }),
  answer: 'response',
  delay: 0,
}

let folder: string
let path: string
let saving: HandlerSaving

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'understudy-scenario-'))
  path = join(folder, 'handlers.ts')
  await writeFile(path, source)
  saving = new HandlerSaving(() => ({ path, name: 'src/handlers.ts' }))
})

afterEach(() => rm(folder, { recursive: true, force: true }))

const read = (): Promise<string> => readFile(path, 'utf8')

/** Sends a request as the panel's page does. */
async function ask(request: object): Promise<SavePreview> {
  const parsed = parseSaveRequest(JSON.stringify(request))
  expect(parsed).toBeDefined()
  return (await saving.answer(parsed as SaveRequest)) as SavePreview
}

const preview = (name: string, ...items: readonly object[]): Promise<SavePreview> =>
  ask({ action: 'preview-scenario', name, items })

test('a scenario is shown, written, replaced and removed', async () => {
  const shown = await preview('empty', item)
  expect(shown).toEqual({
    id: expect.any(String),
    error: null,
    file: 'src/handlers.ts',
    header: 'empty',
    paths: [],
    path: '',
    mode: 'insert',
    canReplace: false,
    notes: ['GET /a: Redacted: token.'],
    code: `empty: [\n\t${handler}\n],`,
    diff: expect.stringContaining(`+export const scenarios = {\n+\tempty: [\n+\t\t${handler}\n+\t],\n+}`),
  })
  expect(await read()).toBe(source)
  await ask({ action: 'write', id: shown.id })
  const written = await read()
  expect(written).toBe(
    `${source.replace('http }', 'http, HttpResponse }')}\r\n\r\nexport const scenarios = {\r\n\tempty: [\r\n\t\t${handler}\r\n\t],\r\n}`,
  )
  const again = await preview('empty', { ...item, answer: 'error' })
  expect(again).toMatchObject({
    mode: 'replace',
    notes: ['The file has a scenario "empty": its handlers are replaced.'],
  })
  await ask({ action: 'write', id: again.id })
  expect(await read()).toBe(written.replace("HttpResponse.json({ token: 'redacted' })", 'HttpResponse.error()'))
  for (const { id } of [again, shown]) await ask({ action: 'undo', id })
  expect(await read()).toBe(source)
})

test('a file that changes while the diff is shown is not written', async () => {
  const { id } = await preview('empty', item)
  await writeFile(path, `${source}\n`)
  await expect(ask({ action: 'write', id })).rejects.toThrow('US0847')
  expect(await read()).toBe(`${source}\n`)
})

test('a file that cannot have the scenario gets an error, and the code to copy', async () => {
  await writeFile(path, `${source}\nexport const scenarios = create()`)
  expect(await preview('a b', item)).toMatchObject({
    id: null,
    error: expect.stringContaining('US0867'),
    code: `'a b': [\n\t${handler}\n],`,
  })
})

test.each<[name: string, given: object]>([
  ['without a name', { name: '' }],
  ['with a comma in its name', { name: 'a,b' }],
  ['with a name that is not text', { name: { toString: 'a' } }],
  ['with a long name', { name: 'a'.repeat(101) }],
  ['without handlers', { items: [] }],
  ['with too many handlers', { items: Array.from({ length: exchangesLimit + 1 }, () => item) }],
  ['with a handler that is null', { items: [null] }],
  ['with another answer', { items: [{ ...item, answer: 'evil()' }] }],
  ['with a delay that is code', { items: [{ ...item, delay: '1), evil(' }] }],
  ['with a delay below zero', { items: [{ ...item, delay: -1 }] }],
  ['that only waits, but not', { items: [{ ...item, answer: 'next' }] }],
  ['with an exchange that is not valid', { items: [{ ...item, exchange: { ...item.exchange, url: 'javascript:1' } }] }],
])('a scenario %s is refused', (_, given) => {
  const request = { action: 'preview-scenario', name: 'a', items: [item] }
  expect(parseSaveRequest(JSON.stringify(request))).toEqual(request)
  expect(parseSaveRequest(JSON.stringify({ ...request, ...given }))).toBe(undefined)
})

test('no data become code', async () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary', minLength: 1 }),
    fc.constantFrom(
      "'",
      "\\'",
      '`',
      '${evil()}',
      "'), evil(), ('",
      '*/',
      '\u2028',
      '\r\n',
      '__proto__',
      '{"__proto__":[]}',
    ),
  )
  const anyPath = text.map((each) => `/${each}`)
  const items = fc.array(
    fc.record({
      answer: fc.constantFrom('error', 'next', 'response'),
      delay: fc.integer({ min: 1, max: 1000 }),
      exchange: fc.record({
        header: fc.oneof(
          anyPath.map((each) => `GET ${each}`),
          anyPath.map((each) => `GET /search?q=${each}`),
          text.map((each) => `query ${each}`),
          text,
        ),
        text,
        type: text,
        url: anyPath.map((each) => `http://localhost${each}`),
        headers: fc.array(text.map((each) => ['x-a', each])),
      }),
    }),
    { minLength: 1, maxLength: 3 },
  )
  await fc.assert(
    fc.asyncProperty(text, items, async (name, given) => {
      const request = parseSaveRequest(
        JSON.stringify({
          action: 'preview-scenario',
          name,
          items: given.map((each) => ({ ...each, exchange: { ...createExchange(), ...each.exchange } })),
        }),
      )
      if (!request) return
      const { code, error, diff } = (await saving.answer(request)) as SavePreview
      expect(error).toBe(null)
      expect(diff).not.toBe('')
      const called = listCalled(parse(`({${code}})`).program)
      expect(called.filter((each) => !/^(?:http|graphql)\.\w+$|^HttpResponse(?:\.\w+)?$|^delay$/.test(each))).toEqual(
        [],
      )
    }),
    { numRuns: 300 },
  )
  expect(await read()).toBe(source)
})

/** The names of all functions that code calls, and the types of other nodes that can run code. */
function listCalled(node: object): string[] {
  const { type, callee } = node as { type?: unknown; callee?: Called }
  const below = Object.values(node).flatMap((child: unknown) =>
    typeof child === 'object' && child !== null ? listCalled(child) : [],
  )
  if (callee) return [callee.name ?? `${callee.object?.name}.${callee.property?.name}`, ...below]
  return typeof type === 'string' && /^(?:Tagged|Assignment|Update|Import)/.test(type) ? [type, ...below] : below
}

interface Called {
  readonly name?: string
  readonly object?: Called
  readonly property?: Called
}
