import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { runInThisContext } from 'node:vm'

import * as engine from '@understudy/engine'
import * as browser from '@understudy/engine/browser'
import * as inspect from '@understudy/engine/inspect'
import * as native from '@understudy/engine/native'
import * as network from '@understudy/engine/network'
import * as node from '@understudy/engine/node'
import * as scenarios from '@understudy/engine/scenarios'
import * as server from '@understudy/engine/server'
import * as serverNode from '@understudy/engine/server/node'
import { describe, expect, test } from 'vitest'

import { areas, readErrorPages, withCodes, withMessages } from './error-pages.ts'
import { readErrorSites, readSource } from './read-error-sites.ts'

const root = resolve(import.meta.dirname, '../..')
const { sites, uncoded } = readErrorSites(root)
const pages = readErrorPages(root)

/** Codes that two places share, because the cause is the same. */
const shared = ['US0203', 'US0222', 'US0838']

/** Messages without a code, by the file and a part of the expression. */
const withoutCode: readonly (readonly [reason: string, file: string, ...parts: string[]])[] = [
  [
    'the platform has this error',
    'engine/src/browser/in-page/in-page-fetch.ts',
    'redirect',
    'a streamed body',
    'firefox ||',
  ],
  ['the platform has this error', 'engine/src/core/fetch/redirect.ts', 'URL scheme', 'redirect count', 'cross origin'],
  ['the platform has this error', 'engine/src/core/responses/with-fault.ts', 'Error(message)', 'terminated'],
  ['the platform has this error', 'engine/src/node/', 'terminated', 'fetch failed', 'a streamed body', 'unexpected'],
  ['the platform has this error', 'engine/src/node/', 'other side closed', 'immutable', 'content-length'],
  ['the platform has this error', 'engine/src/node/parse-form.ts', 'parse body as FormData'],
  ['the caller of fetch gets it', 'engine/src/node/fetch/page-bodies.ts', 'read the file'],
  ['the cause of US0507', 'engine/src/graphql/document/graphql-package.ts', 'was not found'],
  ['the platform has this error', 'engine/src/node/sockets/client-socket.ts', 'Socket closed before'],
  ['the platform has this error', 'engine/src/node/sockets/on-read.ts', 'read ENOBUFS'],
  ['the platform has this error', 'engine/src/node/sockets/mocked-web-socket.ts', 'socket hang up'],
  [
    'the client of a WebSocket gets it as the reason of the close',
    'engine/src/node/sockets/web-socket-frames.ts',
    'FrameError(',
  ],
  ['the platform has this error', 'engine/src/server/true-length.ts', 'terminated'],
  ['the platform has this error', 'engine/src/native/', 'Network request failed', 'Aborted'],
  ['the platform has this error', 'engine/src/browser/gate/hold-web-socket.ts', '1 argument required'],
  ['only the request fails, as in the platform', 'engine/src/browser/in-page/xml-http-request/', 'not bytes'],
  [
    'the platform has this error',
    'engine/src/ws/web-socket-stream.ts',
    'not cleanly closed',
    'before handshake complete',
    'not an object',
  ],
  ['the platform has this error', 'engine/src/ws/mocked-socket.ts', "Failed to execute 'send' on 'WebSocket'"],
  ['the client of a broken stream gets it', 'engine/src/sse/event-stream-client.ts', 'this.error()', 'event stream'],
  ['a GraphQL server has this error', 'engine/src/graphql/', 'GraphQLSyntaxError(', 'GraphQLError(', 'Error(reason)'],
  ['it wraps a thrown value', 'engine/src/', 'Error(String(', 'typeof thrown', 'Error(message.error)'],
  ['it wraps a thrown value', 'vite-plugin/src/vitest/unhandled-requests.ts', 'Error(String('],
  ['its message has the code of the underlying error', 'engine/src/', '${consequence}'],
  ['its message has the code of the underlying error', 'storybook-addon/src/preset/', 'missing.reason'],
  ['its message has the code of the underlying error', 'vite-plugin/src/', 'message)', 'error.message', 'BlockedGate'],
  ['its message has the code of the underlying error', 'panel/src/save/create-saver.ts', 'Error(error)'],
  ['it is the error of another tool', 'webpack-plugin/src/syntax-errors.ts', 'stripVTControlCharacters'],
  ['its message has the code of the underlying error', 'webpack-plugin/src/', '${message}', ').message', 'BlockedGate'],
  ['no developer sees it', 'engine/src/node/fetch/platform-check.ts', 'The platform accepts'],
  ['no developer sees it', 'engine/src/worker', "'Here.'", "'gone'", 'has the same scope'],
  ['no developer sees it', 'engine/src/dev/scripts.ts', 'new Error().stack'],
  ['no developer sees it', 'storybook-addon/src/sources/locate-sources.ts', 'response.status'],
  ['it is text of the caller', 'migrate/src/run-migration.ts', 'console.error(text)'],
  ['the app gets it as a network error', 'engine/src/browser/firefox/sent-bodies.ts', 'was cut off'],
  ['the app gets it as a network error', 'webpack-plugin/src/next/next-mocking.ts', 'Failed to fetch'],
  ['the engine prints it with a code', 'webpack-plugin/src/next/next-mocking.ts', 'print.error()', 'fail(error)'],
  ['no developer sees it', 'webpack-plugin/src/next/with-understudy.ts', "'stack'"],
  ['it names the file of a syntax error', 'webpack-plugin/src/next/handlers-loader.ts', 'SyntaxError('],
  ['it becomes the reason of an error with a code', 'engine/src/inspect/exported-state.ts', 'it contains a'],
  ['it is a component', 'panel/src/unhandled/NearestList.tsx', 'withCode(difference)'],
]

test('every error and warning of the sources has a code', () => {
  const unexplained = uncoded.filter(
    (text) =>
      !withoutCode.some(([, file, ...parts]) => text.includes(file) && parts.some((part) => text.includes(part))),
  )
  expect(unexplained).toEqual([])
})

test('every exception to this rule is in the sources', () => {
  const unused = withoutCode.flatMap(([, file, ...parts]) =>
    parts
      .filter((part) => !uncoded.some((text) => text.includes(file) && text.includes(part)))
      .map((part) => [file, part]),
  )
  expect(unused).toEqual([])
})

test('no code has two causes', () => {
  const codes = sites.map(({ code }) => code).filter((code) => !shared.includes(code))
  expect(codes.filter((code, index) => codes.indexOf(code) !== index)).toEqual([])
})

test('every code has a page, and every page has a code', () => {
  const codes = new Set(sites.map(({ code }) => code))
  expect(pages.map(({ code }) => code)).toEqual([...codes].toSorted())
  expect(pages.map(({ file }) => file)).toEqual(pages.map(({ code }) => `docs/errors/${code}.md`))
  expect(areas.map(([digits]) => digits)).toEqual([...new Set(pages.map(({ code }) => code.slice(2, 4)))])
})

describe('a page', () => {
  test.each(pages.map((page) => [page.code, page] as const))(
    '%s has the message, a cause, an example and a fix',
    (_, page) => {
      expect(withMessages(page, sites), 'Run npm run docs:errors.').toBe(page.text)
      const [, cause, example, fix] = page.text.split(/^## (?:Cause|Example|Fix)\n/m)
      expect(cause?.trim().length).toBeGreaterThan(30)
      expect(example).toMatch(/^\n```\w+\n[^]+\n```\n/)
      expect(fix?.trim().length).toBeGreaterThan(10)
    },
  )
})

test('the list has all codes', () => {
  const text = readFileSync(join(root, 'docs/error-codes.md'), 'utf8')
  expect(withCodes(text, pages), 'Run npm run docs:errors.').toBe(text)
})

describe('the example of a page throws the error with its code', () => {
  const modules: Record<string, object> = {
    '@understudy/engine': engine,
    '@understudy/engine/browser': browser,
    '@understudy/engine/inspect': inspect,
    '@understudy/engine/native': native,
    '@understudy/engine/network': network,
    '@understudy/engine/node': node,
    '@understudy/engine/scenarios': scenarios,
    '@understudy/engine/server': server,
    '@understudy/engine/server/node': serverNode,
  }
  const examples = pages.flatMap(({ code, text }) => {
    const [, example] = /## Example\n\n```js\n([^]+?)\n```\n\n?<!-- throws -->/.exec(text) ?? []
    return example === undefined ? [] : [[code, example] as const]
  })

  test.each(examples)('%s', async (code, example) => {
    const script = example.replaceAll(/^import (\{.+\}) from '(.+)'$/gm, "const $1 = modules['$2']")
    const run = runInThisContext(`(async (modules) => {\n${script}\n})`) as (given: object) => Promise<void>
    await expect(run(modules)).rejects.toMatchObject({
      name: 'UnderstudyError',
      code,
      message: expect.stringMatching(new RegExp(`\\(${code}\\)$`, 'm')) as string,
    })
  })

  test('are many', () => {
    expect(examples.length).toBeGreaterThan(30)
  })
})

describe('the scan of a source', () => {
  test('finds a message without a code', () => {
    const { uncoded: found } = readSource(
      'a.ts',
      "print.warn('Something is wrong.')\nthrow new Error('Failed to start.')",
    )
    expect(found).toEqual(["a.ts:1: print.warn('Something is wrong.')", "a.ts:2: new Error('Failed to start.')"])
  })

  test('reads the message, with … for parts that are not literal', () => {
    const { sites: found } = readSource('a.ts', "failure('US0101', `read ${file}`, 'it is ' + kind, 'Pass a list.')")
    expect(found).toEqual([
      { code: 'US0101', file: 'a.ts', line: 1, message: 'Failed to read …: it is …. Pass a list.' },
    ])
  })
})
