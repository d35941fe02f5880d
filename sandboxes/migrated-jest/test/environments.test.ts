/** Runs the engine's environments with Jest 29, whose jsdom is older than that of Jest 30. */
import { join } from 'node:path'

import { afterEach, beforeEach, expect, test } from 'vitest'

import { createHeavyProject, type Project } from '../../../test/acceptance/project.ts'
import { runTool } from '../../../test/acceptance/run-tool.ts'
import { runJestSuite } from '../../../test/migration/run-suite.ts'

const jest = join(import.meta.dirname, '../node_modules/jest/bin/jest.js')

let project: Project
beforeEach(async () => {
  project = await createHeavyProject('migrated-jest')
})
afterEach(() => project.dispose())

const spec = `import { http, HttpResponse, ws } from '@understudy/engine'
import { setupServer } from '@understudy/engine/node'

const link = ws.link('ws://office.example/desk')
const server = setupServer(
  http.get('http://office.example/found', () => HttpResponse.json('found')),
  http.post('http://office.example/files', async ({ request }) => {
    const file = (await request.formData()).get('file')
    return HttpResponse.json([file.name, await file.text()])
  }),
  link.addEventListener('connection', ({ client }) => client.send('hello')),
)
beforeAll(() => server.listen({ onUnhandledRequest: 'error' }))
afterAll(() => server.close())

test('fetch', async () => {
  expect(await (await fetch('http://office.example/found')).json()).toBe('found')
})

test('a file', async () => {
  const body = new FormData()
  body.set('file', new File(['text'], 'notes.txt'))
  expect(await (await fetch('http://office.example/files', { method: 'POST', body })).json()).toEqual(['notes.txt', 'text'])
})

test('a WebSocket, with fake timers', async () => {
  jest.useFakeTimers()
  try {
    const socket = new WebSocket('ws://office.example/desk')
    expect(await new Promise((resolve) => (socket.onmessage = (event) => resolve(event.data)))).toBe('hello')
  } finally {
    jest.useRealTimers()
  }
})
`

test.for(['jsdom', 'node'])('the environment for %s', async (environment) => {
  await project.write('small/src/small.test.js', spec)
  await project.write(
    'small/jest.config.cjs',
    `module.exports = {
  rootDir: __dirname,
  testEnvironment: '@understudy/engine/jest-${environment}',
  transform: { '\\\\.js$': ['babel-jest', { configFile: require.resolve('../babel.config.cjs') }] },
}
`,
  )
  const { code, output, tests } = await runJestSuite(jest, join(project.folder, 'small'))
  expect(code, output).toBe(0)
  expect(Object.values(tests), output).toEqual(['passed', 'passed', 'passed'])
})

test('ECMAScript modules have the names of the engine', async () => {
  const imports = "import { jest } from '@jest/globals'\n"
  await project.write('small/src/small.test.js', imports + spec)
  await project.write('small/package.json', '{ "type": "module" }')
  await project.write(
    'small/jest.config.js',
    "export default { testEnvironment: '@understudy/engine/jest-jsdom', transform: {} }\n",
  )
  const env = { NODE_OPTIONS: '--experimental-vm-modules' }
  const tool = runTool(jest, [], { folder: join(project.folder, 'small'), env })
  expect(await tool.exit, tool.output).toBe(0)
  expect(tool.output).toContain('Tests:       3 passed, 3 total')
})
