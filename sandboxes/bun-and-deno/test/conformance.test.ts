/** Requests have the same outcome in Bun and Deno as in Node, except for the rows of docs/runtimes.md. */
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { expect, test } from 'vitest'

const run = promisify(execFile)
const sandbox = join(import.meta.dirname, '..')
const page = join(import.meta.dirname, '../../../docs/runtimes.md')

type Outcomes = Record<string, unknown>

async function runConformance(command: string, args: readonly string[] = []): Promise<Outcomes> {
  const { stdout } = await run(command, [...args, 'src/conformance.js'], { cwd: sandbox, timeout: 100_000 })
  return JSON.parse(stdout) as Outcomes
}

/** The differences, with the outcome in that runtime. */
const differences: Record<string, Outcomes> = {
  bun: { 'fetch: a function kept from before': 'real GET /before' },
  deno: { 'fetch: a function kept from before': 'real GET /before', EventSource: ['mocked', true] },
}

test.each([
  ['bun', ['run']],
  ['deno', ['run', '--allow-all', '--quiet']],
])('%s', async (name, args) => {
  const inNode = await runConformance(process.execPath)
  expect(inNode).toMatchObject({
    'fetch: JSON': [201, 'https://api.example.com/json', '1', '{"a":1}'],
    'fetch: a function kept from before': 'mocked',
    'node:https: JSON': [201, '1', '{"a":1}'],
    WebSocket: 'got x',
    // Node has it only with a flag.
    EventSource: 'missing',
  })
  const there = await runConformance(join(sandbox, 'node_modules/.bin', name), args)
  expect(there).toEqual({ ...inNode, ...differences[name] })
})

test('the page lists the differences', async () => {
  const text = await readFile(page, 'utf8')
  expect(text).toContain('A `fetch` that code stored before `server.listen()`')
})
