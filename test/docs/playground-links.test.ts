import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

import * as engine from '@understudy/engine'
import { pickHandlers } from '@understudy/engine/internal/page'
import { transformSync } from 'esbuild'
import { describe, expect, onTestFinished, test, vi } from 'vitest'

import { toPlaygroundState } from '../../site/playground-links.ts'
import { examples } from '../../site/playground/examples.ts'
import { formatState, parseState, type PlaygroundState } from '../../site/playground/state.ts'

const docs = resolve(import.meta.dirname, '../../docs')
const linked = globSync(['*.md', 'recipes/*.md'], { cwd: docs }).flatMap((page) => {
  const blocks = readFileSync(join(docs, page), 'utf8').matchAll(/^```ts\n([\s\S]*?)^```/gm)
  return [...blocks].flatMap(([, code = '']) => {
    const state = toPlaygroundState(code)
    return state ? [[page, state] as const] : []
  })
})

/** Returns the handlers of an example, as the playground loads them. */
async function run({ code }: PlaygroundState): Promise<engine.Handler[]> {
  const module = { exports: {} }
  const text = transformSync(code, { loader: 'ts', format: 'cjs' }).code
  const requireModule = (name: string): unknown => (name === '@understudy/engine' ? engine : undefined)
  // oxlint-disable-next-line typescript/no-implied-eval -- The playground does the same in its frame.
  new Function('require', 'module', text)(requireModule, module)
  return [...(await pickHandlers(module.exports, 'handlers.ts'))]
}

/** Returns whether a handler of an example answers its first request. */
async function isAnswered(state: PlaygroundState): Promise<boolean> {
  // An example that fails at random would fail this test at random.
  const random = vi.spyOn(Math, 'random').mockReturnValue(0.99)
  onTestFinished(() => random.mockRestore())
  const { kind, method, url, body } = state.request
  const handlers = await run(state)
  if (kind === 'websocket') return handlers.some((handler) => handler.kind === 'websocket')
  const isQuery = kind === 'graphql'
  const init = {
    method,
    ...(kind === 'event-source' && { headers: { Accept: 'text/event-stream' } }),
    ...(isQuery && { body: JSON.stringify({ query: body }), headers: { 'Content-Type': 'application/json' } }),
    ...(!isQuery && body !== '' && { body, headers: { 'Content-Type': 'application/json' } }),
  }
  const address = new URL(url, 'http://localhost').href
  const response = await engine.getResponse(handlers, new Request(address, init), { baseUrl: 'http://localhost' })
  // A resolver that throws answers 500.
  return response !== undefined && response.status !== 500
}

describe('examples that open in the playground', () => {
  test('are in guides and recipes', () => {
    const pages = new Set(linked.map(([page]) => page))
    expect(pages.size).toBeGreaterThan(8)
  })

  test.each(linked)('%s', async (_page, state) => {
    expect(await isAnswered(state)).toBe(true)
  })

  test.each(Object.entries(examples))('its own: %s', async (_name, state) => {
    expect(await isAnswered(state)).toBe(true)
  })
})

test('a link keeps code and request, in any script', () => {
  const [, first] = Object.entries(examples)[0] ?? []
  const state = { ...(first as PlaygroundState), code: 'const text = "ä 日本 🎭 `${1}`"\n' }
  expect(formatState(state)).toMatch(/^[\w-]+$/)
  expect(parseState(formatState(state))).toEqual(state)
})

test.each(['', 'a', '%', 'e30', btoa('null'), btoa('{"code":1}'), btoa('{"code":"","request":{"kind":"other"}}')])(
  'the hash %j is not a state',
  (hash) => {
    expect(parseState(hash)).toBeUndefined()
  },
)
