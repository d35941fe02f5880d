/** Tests requests of a server that renders, with Vite as middleware. `rendered-pages.test.ts` tests its pages. */
import { expect, test } from 'vitest'

import { backendAnswer } from '../acceptance/counting-backend.ts'
import { savingUntil } from '../acceptance/project.ts'
import { serveRendering } from '../acceptance/rendered-pages.ts'

const handlersFile = 'src/mocks/handlers.js'

const served = serveRendering()
const { start, get } = served

async function configure(plugin: string): Promise<void> {
  const from = served.process.output.length
  const config = (await served.project.read('vite.config.js')).replace(/understudy\(.*\)/, plugin)
  await served.project.write('vite.config.js', config)
  await served.process.untilSaid(/restarted/, from)
}

const faults: [name: string, file: string, text: string, report: RegExp][] = [
  ['a syntax error', handlersFile, 'export const handlers = [', /handlers\.js/],
  ['a throw', handlersFile, 'nowhere()', /ReferenceError: nowhere is not defined \(at .*handlers\.js:1:1\)/],
  ['a wrong export', handlersFile, 'export const mocks = []', /exports "mocks", but no handlers/],
  ['an import that is not there', handlersFile, "import './nothing.js'", /nothing\.js/],
  ['a throw in what it imports', 'src/mocks/word.js', 'nowhere()', /nowhere is not defined/],
]

test.for(faults)('%s: requests fail until it is fixed; later, the previous handlers keep answering', async (fault) => {
  const [_name, file, text, report] = fault
  const original = await served.project.read(file)
  await served.project.write(file, text)
  await start()
  for (const path of ['/', '/early', '/ask/api/unheard-of']) expect(await get(path)).toMatch(report)
  expect(served.process.output).toMatch(report)
  await savingUntil(served.project, file, original, () => get('/early')).toContain('title 0')

  const from = served.process.output.length
  await served.project.write(file, text)
  await served.process.untilSaid(report, from)
  await served.process.untilSaid(/Until then, the previous handlers keep answering/, from)
  expect(await get('/early')).toContain('title 0')
  await savingUntil(served.project, file, original.replace("'0'", "'1'").replace('title ', 'other '), () =>
    get('/early'),
  ).toMatch(/title 1|other 0/)
  expect(served.backend.requests).toEqual([])
})

test('handlers that are saved twice, like an editor and its formatter, while no page is open', async () => {
  await start()
  expect(await get('/early')).toContain('title 0')
  // Within 50 ms, Vite's watcher does not report a second change of a file.
  for (const pause of [10, 20, 30, 40, 50]) {
    await served.project.write('src/mocks/word.js', `export const word = 'first ${pause}'\n`)
    await new Promise((resolve) => {
      setTimeout(resolve, pause)
    })
    await served.project.write('src/mocks/word.js', `export const word = 'second ${pause}'\n`)
    await expect.poll(() => get('/early')).toContain(`second ${pause}`)
  }
})

test('no handlers file: requests fail until there is one', async () => {
  const original = await served.project.read(handlersFile)
  await served.project.remove(handlersFile)
  await start()
  expect(await get('/early')).toMatch(/there is no src\/mocks\/handlers\.ts/)
  await savingUntil(served.project, handlersFile, original, () => get('/early')).toContain('title 0')
  expect(served.backend.requests).toEqual([])
})

test('a passthrough request reaches the network', async () => {
  await start()
  expect(JSON.parse(await get('/ask/api/real'))).toEqual(backendAnswer)
  expect(served.backend.requests).toEqual(['GET /api/real'])
})

test('an unhandled request reaches the network, with a warning in the terminal', async () => {
  await start()
  expect(JSON.parse(await get('/ask/api/unheard-of'))).toEqual(backendAnswer)
  await served.process.untilSaid(/No handler matches GET http\S+\/api\/unheard-of/)
  expect(served.backend.requests).toEqual(['GET /api/unheard-of'])
})

test("the tool's own requests and those that it forwards are not intercepted", async () => {
  await start()
  expect(await get('/early')).toContain('title 0')
  expect(await get('/ask/api/title')).toContain('title 0')
  expect(JSON.parse(await get('/~of-the-tool'))).toEqual(backendAnswer)
  // A request that a page's handler bypasses reaches the proxy.
  expect(JSON.parse(await get('/api/title'))).toEqual(backendAnswer)
  expect(await get('/ask/api/title')).toContain('title 0')
  expect(served.backend.requests).toEqual(['GET /api/title', 'GET /api/title'])
})

test.for(['vite', 'vite-7', 'vite-6'])(
  '%s: a restart keeps mocking, and a restart without the plugin removes everything',
  async (vite) => {
    await start(vite)
    expect(await get('/early')).toContain('title 0')
    expect(await get('/~is-native')).toBe('false')
    await configure('understudy({ quiet: true })')
    expect(await get('/early')).toContain('title 0')
    expect(served.backend.requests).toEqual([])

    await configure('understudy({ ssr: false })')
    expect(await get('/~is-native')).toBe('true')
    expect(JSON.parse(await get('/ask/api/title'))).toEqual(backendAnswer)
  },
)
