/** Runs the bundle that Metro makes of `src/main.js` in Hermes, and in V8 with the globals of Hermes. */
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'

import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const run = promisify(execFile)
const sandbox = resolve(import.meta.dirname, '..')
const hermes = join(sandbox, 'node_modules/hermes-engine-cli/linux64-bin/hermes')
const compiler = join(sandbox, 'node_modules/hermes-compiler/hermesc/linux64-bin/hermesc')
const nativeModules = join(sandbox, 'src/native-modules.js')

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'react-native-'))
})

afterAll(() => rm(folder, { recursive: true }))

/** @param profile the syntax that React Native's Babel preset compiles: `default` for older versions of Hermes */
async function bundle(profile: 'default' | 'hermes-stable'): Promise<string> {
  const file = join(folder, `${profile}.js`)
  const env = { ...process.env, TRANSFORM_PROFILE: profile }
  await run(process.execPath, ['bundle.mjs', file], { cwd: sandbox, env })
  return file
}

/** A case: what it returned or threw, and the requests that reached the network. */
interface Case {
  readonly result?: unknown
  readonly sent: readonly string[]
}

type Results = Record<string, Case>

async function runInHermes(): Promise<Results> {
  const files = [join(sandbox, 'src/older-hermes.js'), nativeModules, await bundle('default')]
  const scripts = await Promise.all(files.map((file) => readFile(file, 'utf8')))
  const all = join(folder, 'hermes.js')
  await writeFile(all, scripts.join('\n'))
  return JSON.parse((await run(hermes, ['-w', '-Xmicrotask-queue', all])).stdout) as Results
}

async function runInV8(): Promise<Results> {
  const script = join(folder, 'names.js')
  await writeFile(script, 'print(JSON.stringify(Object.getOwnPropertyNames(globalThis)))')
  const { stdout: names } = await run(hermes, [script])
  const file = await bundle('hermes-stable')
  await run(compiler, ['-w', '-emit-binary', '-out', `${file}.hbc`, file])
  const args = [join(sandbox, 'run-in-v8.mjs'), names, nativeModules, file]
  return JSON.parse((await run(process.execPath, args)).stdout) as Results
}

const api = 'https://api.example'
const user = '{"name":"Zoë 💡"}'
const real = (request: string): string => JSON.stringify({ real: request })
const mocked = (result: unknown): Case => ({ result, sent: [] })
const ended = '2 3 4 load loadend'
const jsonHeaders = (length: number): string => `content-length: ${length}\r\ncontent-type: application/json\r\n`
const textHeaders = jsonHeaders(4).replace('application/json', 'text/plain')
const realHeaders = 'content-type: application/json\r\n'
const failed = mocked([0, '', '4 error loadend', null, null])

const expected = {
  "React Native's own URL": mocked(
    expect.stringMatching(/^Failed to listen: React Native's URL .*react-native-url-polyfill.*\(US1102\)$/),
  ),
  JSON: mocked({ name: 'Zoë 💡' }),
  parameters: mocked([201, true, '1', true, { id: '7', token: 'secret' }]),
  'a Request': mocked([200, `${api}/login`, '{"got":{"n":"ü"}}']),
  text: mocked([200, `${api}/text`, 'éé']),
  'a form': mocked({ name: 'Zoë', all: [['name', 'Zoë']] }),
  'URL parameters': mocked({ name: 'a bé', all: [['name', 'a bé']] }),
  bytes: mocked([1, 2, 250]),
  'a blob': mocked(20),
  'a network error': mocked('TypeError: Network request failed'),
  'a delay': mocked([200, `${api}/slow`, 'slow']),
  'an abort': mocked('AbortError: Aborted'),
  passthrough: { result: [200, `${api}/passed`, real(`GET ${api}/passed`)], sent: [`GET ${api}/passed `] },
  bypass: {
    result: [200, `${api}/patched`, JSON.stringify({ real: `GET ${api}/patched`, patched: true })],
    sent: [`GET ${api}/patched `],
  },
  'no body': mocked([204, `${api}/empty`, '']),
  'a platform response': mocked([203, `${api}/plain`, 'plain']),
  'a body that Response cannot hold': mocked('TypeError: Network request failed'),
  cookies: mocked({ a: '1', b: '2' }),
  'a generator': mocked(['first', 'last', 'last', 'last']),
  'a redirect': mocked([200, `${api}/user`, user]),
  'a redirect to the network': {
    result: [200, 'https://other.example/%C3%BC', real('GET https://other.example/%C3%BC')],
    sent: ['GET https://other.example/%C3%BC '],
  },
  GraphQL: mocked({ data: { user: 3 } }),
  'a GraphQL upload': mocked({ data: { name: 'a.png', type: 'multipart/form-data' } }),
  'forms to the network': {
    sent: [
      'POST https://other.example/x form with []',
      `POST ${api}/forwarded form with []`,
      `POST ${api}/forwarded form with []`,
      'POST https://other.example/x form with []',
    ],
  },
  'an unhandled request': {
    result: [200, 'https://other.example/x', real('POST https://other.example/x')],
    sent: ['POST https://other.example/x B'],
  },
  'its warning': [
    expect.stringMatching(/^\[understudy\] No handler matches POST https:\/\/other\.example\/x \(US0201\)/),
  ],
  'a kept fetch': mocked([200, `${api}/user`, user]),
  axios: mocked([200, { got: { a: 1 } }, 'application/json']),
  'axios with an error': mocked('AxiosError: Network Error'),
  'XHR: JSON': mocked([200, { name: 'Zoë 💡' }, ended, jsonHeaders(20), `${api}/user`]),
  'XHR: headers': mocked([201, '{"id":"9","token":"t"}', ended, `${jsonHeaders(22)}x-page: 1\r\n`, `${api}/users/9`]),
  'XHR: text': mocked([200, 'éé', ended, textHeaders, `${api}/text`]),
  'XHR: bytes': mocked([200, [1, 2, 250], ended, expect.any(String), `${api}/bytes`]),
  'XHR: bytes of a text': mocked([200, [195, 169, 195, 169], ended, textHeaders, `${api}/text`]),
  'XHR: a blob': mocked([200, [20, ''], ended, jsonHeaders(20), `${api}/user`]),
  'XHR: bytes as a blob': mocked([0, [0, ''], '4 error loadend', null, null]),
  'its error': [
    expect.stringMatching(/^\[understudy\] Failed to answer GET .*\/bytes: React Native cannot .*\(US1106\)$/),
  ],
  'XHR: HEAD': mocked([200, '', '2 4 load loadend', textHeaders, `${api}/head`]),
  HEAD: mocked([200, `${api}/head`, '']),
  'XHR: a network error': failed,
  'XHR: an abort': mocked([0, '', '4 abort loadend', null, null]),
  'XHR: a time-out': mocked([0, '', '4 timeout loadend', null, null]),
  'XHR: a redirect to the network': {
    result: [200, real('GET https://other.example/%C3%BC'), ended, realHeaders, 'https://other.example/%C3%BC'],
    sent: ['GET https://other.example/%C3%BC '],
  },
  'XHR: unhandled': {
    result: [200, real('PUT https://other.example/z'), ended, realHeaders, 'https://other.example/z'],
    sent: ['PUT https://other.example/z B'],
  },
  'XHR: a kept class': mocked([200, user, ended, jsonHeaders(20), `${api}/user`]),
  events: {
    result: [
      ...['start', 'match', 'end'].map((step) => [`request:${step}`, 'GET', `${api}/user`]),
      ['response:mocked', 'GET', `${api}/user`, 200, user],
      ...['start', 'match', 'end'].map((step) => [`request:${step}`, 'GET', `${api}/plain`]),
      ['response:mocked', 'GET', `${api}/plain`, 203, 'plain'],
      ...['start', 'unhandled', 'end'].map((step) => [`request:${step}`, 'GET', 'https://other.example/x']),
      ['response:bypass', 'GET', 'https://other.example/x', 200, real('GET https://other.example/x')],
      ...['start', 'unhandled', 'end'].map((step) => [`request:${step}`, 'GET', 'https://other.example/z']),
      ['response:bypass', 'GET', 'https://other.example/z', 200, real('GET https://other.example/z')],
      ...['start', 'match', 'end'].map((step) => [`request:${step}`, 'GET', `${api}/plain`]),
      ['response:mocked', 'GET', `${api}/plain`, 203, 'plain'],
    ],
    sent: ['GET https://other.example/x ', 'GET https://other.example/z '],
  },
  use: mocked([
    [200, `${api}/user`, 'once'],
    [200, `${api}/user`, user],
  ]),
  resetHandlers: mocked([200, `${api}/user`, user]),
  'the policy "error"': mocked('TypeError: Network request failed'),
  'XHR: the policy "error"': failed,
  'a boundary': mocked(expect.stringMatching(/^UnderstudyError: Failed to create a boundary: .*\(US1103\)$/)),
  'a WebSocket handler': [expect.stringMatching(/^\[understudy\] WebSocket handlers have no effect .*\(US1105\)$/)],
  'a second server': mocked([[200, `${api}/second`, 'second'], user, 'second', 'plain']),
  'the first server closed': {
    result: [[200, `${api}/second`, 'second'], 'second', [200, `${api}/user`, real(`GET ${api}/user`)]],
    sent: [`GET ${api}/user `],
  },
  'both closed': {
    result: [[200, `${api}/second`, real(`GET ${api}/second`)], real(`GET ${api}/user`)],
    sent: [`GET ${api}/second `, `GET ${api}/user `],
  },
  'listening again': mocked([[200, `${api}/user`, user], user]),
  restored: [true, true],
}

describe.each([
  ['Hermes', runInHermes],
  ['V8 with the globals of Hermes', runInV8],
])('%s', (_name, runScenario) => {
  test('handlers answer fetch and XMLHttpRequest, and everything else reaches the network once', async () => {
    expect(await runScenario()).toEqual(expected)
    // Metro compiles all of React Native, without its cache.
  }, 600_000)
})
