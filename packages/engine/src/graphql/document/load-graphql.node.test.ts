import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

import { build } from 'esbuild'
import { expect, test } from 'vitest'

const run = promisify(execFile)

/** Runs code in a separate Node process, without the package `graphql`. */
async function runWithoutGraphQL(code: string): Promise<{ stdout: string; stderr: string }> {
  const hide = `
    import { registerHooks } from 'node:module'
    registerHooks({
      resolve(specifier, context, next) {
        if (specifier !== 'graphql') return next(specifier, context)
        throw Object.assign(new Error("Cannot find package 'graphql'"), { code: 'ERR_MODULE_NOT_FOUND' })
      },
    })`
  const engine = new URL('../../index.ts', import.meta.url).href
  const preamble = `
    import { graphql, http, HttpResponse, getResponse } from '${engine}'
    const ask = (handlers, query) => getResponse(handlers, new Request('https://api.example.com/graphql', {
      method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ query }),
    }))`
  return run(process.execPath, [
    '--conditions=@understudy/source',
    `--import=data:text/javascript,${encodeURIComponent(hide)}`,
    '--input-type=module',
    `--eval=${preamble}\n${code}`,
  ])
}

test('only a schema needs the package, and an error says if it is missing', async () => {
  const { stdout, stderr } = await runWithoutGraphQL(`
    const user = graphql.query('GetUser', () => HttpResponse.json({ data: { name: 'Ada' } }))
    const typed = graphql.mutation(new String('mutation Login { login }'), () => HttpResponse.json({ data: {} }))
    const schema = graphql.schema('type Query { a: Int }')
    const answers = await Promise.all([
      ask([user], 'query GetUser { name }'), ask([typed], 'mutation Login { login }'), ask([schema], '{ a }'),
    ])
    console.log(JSON.stringify(await Promise.all(answers.map(async (answer) => [answer.status, await answer.json()]))))
  `)
  const message =
    'Failed to execute an operation against the schema of graphql.schema(): the package "graphql" is not installed. ' +
    'Install it: npm i -D graphql. (US0507)'
  expect(JSON.parse(stdout)).toEqual([
    [200, { data: { name: 'Ada' } }],
    [200, { data: {} }],
    [500, expect.objectContaining({ message })],
  ])
  expect(stderr).toContain(message)
})

test('bundlers build without the package', async () => {
  const { errors, warnings, outputFiles } = await build({
    stdin: {
      contents: "export { graphql } from './index.ts'",
      resolveDir: fileURLToPath(new URL('../..', import.meta.url)),
    },
    bundle: true,
    format: 'esm',
    write: false,
    logLevel: 'silent',
    alias: { graphql: 'a-package-that-is-not-there' },
  })
  expect([errors, warnings]).toEqual([[], []])
  expect(outputFiles[0]?.text).toContain('await import("graphql")')
})
