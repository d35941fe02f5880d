/** Runs the tests of this project with Jest, in all its ways to load modules. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import { createHeavyProject, repository, type Project } from '../../../test/acceptance/project.ts'
import { runTool } from '../../../test/acceptance/run-tool.ts'

const cli = join(import.meta.dirname, '../node_modules/jest/bin/jest.js')

let project: Project

beforeEach(async () => {
  project = await createHeavyProject('jest-30')
})

afterEach(() => project.dispose())

/** Runs Jest until it exits. */
async function run(
  args: string[] = [],
  env: Record<string, string> = {},
): Promise<{ code: number | null; output: string }> {
  const tool = runTool(cli, args, { folder: project.folder, env })
  return { code: await tool.exit, output: tool.output }
}

const specs = ['src/office.spec.ts', 'src/page.spec.ts', 'src/server.spec.ts']

test('all requests are mocked in jsdom and in Node, and Jest exits', async () => {
  const { code, output } = await run()
  expect(code, output).toBe(0)
  expect(output.match(/^PASS .*$/gm)?.toSorted()).toEqual(specs.map((spec) => expect.stringContaining(spec)))
  expect(output).toContain('Tests:       14 passed, 14 total')
  expect(output).not.toMatch(/did not exit|open handle|Warning/)
})

test('a request without a handler fails its test, and is named', async () => {
  await project.write('src/unhandled.spec.ts', "test('asks', () => fetch('/api/nowhere'))\n")
  const { code, output } = await run(['unhandled'])
  expect(code).toBe(1)
  expect(output).toContain('Tests:       1 failed, 1 total')
  expect(output).toContain('No handler matches GET /api/nowhere')
})

test('handlers of a test do not exist in the next one, or in other files', async () => {
  await project.write(
    'src/layers.spec.ts',
    `import { http, HttpResponse } from '@understudy/engine'
import { server } from './mocks/server'

test('first', async () => {
  server.use(http.get('/api/found', () => HttpResponse.json('overridden')))
  expect(await (await fetch('/api/found')).json()).toBe('overridden')
})

test('second', async () => {
  expect(await (await fetch('/api/found')).json()).toEqual([{ id: 1, what: 'One umbrella' }])
})
`,
  )
  const { code, output } = await run(['--runInBand', 'layers', 'office'])
  expect(code, output).toBe(0)
  expect(output).toContain('Tests:       4 passed, 4 total')
})

test.for(['jsdom', 'node'])('faults below HTTP, and fake timers, in the environment for %s', async (environment) => {
  await project.write(
    'src/faults.spec.ts',
    `/** @jest-environment @understudy/engine/jest-${environment} */
import { http, HttpResponse, ws } from '@understudy/engine'
import { withFault } from '@understudy/engine/faults'
import axios from 'axios'
import { server } from './mocks/server'

const url = 'http://office.example/api/report'

test('a body that ends early fails for its reader', async () => {
  server.use(http.get(url, () => withFault(HttpResponse.text('a long report'), { kind: 'truncated-body', after: 6 })))
  const response = await fetch(url)
  expect(response.status).toBe(200)
  await expect(response.text()).rejects.toThrow()
  // The XMLHttpRequest of jsdom 26 waits without end for the rest of such a body, from a real server too.
  if (typeof document === 'undefined') await expect(axios.get(url)).rejects.toThrow()
})

test.each([{}, { doNotFake: ['nextTick'] }, { legacyFakeTimers: true }])('fake timers %j delay no response', async (options) => {
  jest.useFakeTimers(options)
  try {
    expect(await (await fetch('/api/found')).json()).toEqual([{ id: 1, what: 'One umbrella' }])
  } finally {
    jest.useRealTimers()
  }
})

test.each([{}, { legacyFakeTimers: true }])('fake timers %j delay no message of a WebSocket', async (options) => {
  const link = ws.link('ws://office.example/desk')
  server.use(
    link.addEventListener('connection', ({ client }) => {
      client.addEventListener('message', (event) => client.send('heard ' + event.data))
    }),
  )
  jest.useFakeTimers(options)
  try {
    const socket = new WebSocket('ws://office.example/desk')
    const heard = await new Promise((resolve, reject) => {
      socket.onopen = () => socket.send('bell')
      socket.onmessage = (event) => resolve(event.data)
      socket.onerror = reject
    })
    expect(heard).toBe('heard bell')
    await new Promise((resolve) => {
      socket.onclose = resolve
      socket.close()
    })
  } finally {
    jest.useRealTimers()
  }
})
`,
  )
  // A relative URL needs a page.
  if (environment === 'node')
    await project.edit('src/faults.spec.ts', "fetch('/api/found')", "fetch('http://office.example/api/found')")
  const { code, output } = await run(['faults'])
  expect(code, output).toBe(0)
  expect(output).toContain('Tests:       6 passed, 6 total')
})

test('what pages and Node share, in jsdom', async () => {
  await project.write(
    'src/shared.spec.ts',
    `import { http, HttpResponse } from '@understudy/engine'
import { server } from './mocks/server'

const describeForm = http.post('/api/files', async ({ request }) => {
  const fields: unknown[] = []
  for (const [name, value] of await request.formData()) {
    fields.push([name, typeof value === 'string' ? value : [value.name, value.type, await value.text()]])
  }
  return HttpResponse.json(fields)
})

/** Sets the files as user-event does: jsdom does not know of them. */
function choose(selector: string, ...files: File[]): void {
  const value = Object.assign([...files], { item: (index: number) => files[index] ?? null })
  Object.defineProperty(document.querySelector(selector), 'files', { configurable: true, get: () => value })
}

test('the files of a form', async () => {
  server.use(describeForm)
  document.body.innerHTML =
    '<form><input name="who" value="Ada"><input type="file" name="photo" id="photo"><input name="what" value="key">' +
    '<input type="file" name="papers" id="papers" multiple><input type="file" name="none"><input type="file" name="off" disabled></form>'
  choose('#photo', new File(['picture'], 'a.png', { type: 'image/png' }))
  choose('#papers', new File(['1'], '1.txt'), new File(['2'], '2.txt'))
  const body = new FormData(document.querySelector('form')!)
  expect(await (await fetch('/api/files', { method: 'POST', body })).json()).toEqual([
    ['who', 'Ada'],
    ['photo', ['a.png', 'image/png', 'picture']],
    ['what', 'key'],
    ['papers', ['1.txt', 'application/octet-stream', '1']],
    ['papers', ['2.txt', 'application/octet-stream', '2']],
    // Node sends a file without a name as a text.
    ['none', ''],
  ])
  const none = body.get('none') as File
  expect([none.name, none.type, none.size]).toEqual(['', 'application/octet-stream', 0])
})

test('classes of bytes', async () => {
  server.use(http.get('/api/bytes', () => new HttpResponse(new Uint8Array([1, 2]))))
  const bytes = await (await fetch('/api/bytes')).arrayBuffer()
  expect(bytes).toBeInstanceOf(ArrayBuffer)
  expect(bytes).toStrictEqual(new Uint8Array([1, 2]).buffer)
  expect(new TextEncoder().encode('a')).toBeInstanceOf(Uint8Array)
  expect(Buffer.from('a')).toBeInstanceOf(Uint8Array)
  expect(new Float64Array(1).buffer).toBeInstanceOf(ArrayBuffer)
  expect(new DataView(bytes).getUint8(1)).toBe(2)
  const { value } = await (await fetch('/api/bytes')).body!.getReader().read()
  expect(value).toStrictEqual(new Uint8Array([1, 2]))
})
`,
  )
  const { code, output } = await run(['shared'])
  expect(code, output).toBe(0)
  expect(output).toContain('Tests:       2 passed, 2 total')
})

describe('with another configuration', () => {
  const handlers = `import { http, HttpResponse } from '@understudy/engine'
export const handlers = [http.get('http://office.example/found', () => HttpResponse.json('found'))]
`
  const spec = `import { setupServer } from '@understudy/engine/node'
import { handlers } from './handlers.js'

const server = setupServer(...handlers)
beforeAll(() => server.listen({ onUnhandledRequest: 'error' }))
afterAll(() => server.close())

test('is mocked', async () => {
  expect(await (await fetch('http://office.example/found')).json()).toBe('found')
})
`

  async function configure(config: string): Promise<void> {
    await Promise.all([...specs, 'jest.setup.ts', 'jest.config.js'].map((file) => project.remove(file)))
    await project.write('jest.config.mjs', `export default ${config}\n`)
    await project.write('src/handlers.js', handlers)
    await project.write('src/small.spec.js', spec)
  }

  test.for(['jsdom', 'node'])('ECMAScript modules, in the environment for %s', async (environment) => {
    await configure(`{ testEnvironment: '@understudy/engine/jest-${environment}', transform: {} }`)
    await project.edit('package.json', '"private": true,', '"private": true,\n  "type": "module",')
    await project.remove('babel.config.js')
    const { code, output } = await run([], { NODE_OPTIONS: '--experimental-vm-modules' })
    expect(code, output).toBe(0)
    expect(output).toContain('Tests:       1 passed, 1 total')
  })

  test('TypeScript by SWC', async () => {
    await project.remove('babel.config.js')
    await project.write(
      'jest.config.js',
      `module.exports = {
  testEnvironment: '@understudy/engine/jest-jsdom',
  setupFilesAfterEnv: ['./jest.setup.ts'],
  transform: { '\\\\.ts$': '@swc/jest' },
}
`,
    )
    const { code, output } = await run()
    expect(code, output).toBe(0)
    expect(output).toContain('Tests:       14 passed, 14 total')
  })

  // With the condition, the environment that MSW's documentation recommends stays.
  const options = "testEnvironmentOptions: { customExportConditions: ['@understudy/jest'] }"

  test('jest-fixed-jsdom, by the condition', async () => {
    await configure(`{ testEnvironment: 'jest-fixed-jsdom', ${options} }`)
    const { code, output } = await run()
    expect(code, output).toBe(0)
    expect(output).toContain('Tests:       1 passed, 1 total')
  })

  test('jest-fixed-jsdom: `XMLHttpRequest` sends the forms, files and search parameters that the page has from Node', async () => {
    await configure(`{ testEnvironment: 'jest-fixed-jsdom', ${options} }`)
    await project.write(
      'src/small.spec.js',
      `import { http, HttpResponse } from '@understudy/engine'
import { setupServer } from '@understudy/engine/node'
import axios from 'axios'

const url = 'http://office.example/claims'
const server = setupServer(
  http.post(url, async ({ request }) => {
    const type = request.headers.get('content-type').split(';')[0]
    if (type === 'text/plain') return HttpResponse.json([type, await request.text()])
    const fields = []
    for (const [name, value] of await request.formData()) fields.push([name, value.name ?? value, value.name && (await value.text())])
    return HttpResponse.json([type, ...fields])
  }),
)
beforeAll(() => server.listen())
afterAll(() => server.close())

async function send(body) {
  const xhr = new XMLHttpRequest()
  xhr.open('POST', url)
  await new Promise((resolve) => {
    xhr.onloadend = resolve
    xhr.send(body)
  })
  return JSON.parse(xhr.responseText)
}

test('a form', async () => {
  const form = new FormData()
  form.append('name', 'Ada')
  form.append('photo', new Blob(['black']), 'umbrella.png')
  const fields = ['multipart/form-data', ['name', 'Ada', null], ['photo', 'umbrella.png', 'black']]
  expect(await send(form)).toEqual(fields)
  expect((await axios.post(url, form)).data).toEqual(fields)
})

test('a file, search parameters and text', async () => {
  expect(await send(new Blob(['black'], { type: 'text/plain' }))).toEqual(['text/plain', 'black'])
  const fields = ['application/x-www-form-urlencoded', ['name', 'Ada', null]]
  expect(await send(new URLSearchParams({ name: 'Ada' }))).toEqual(fields)
  expect(await send('black')).toEqual(['text/plain', 'black'])
})

test('a file is received', async () => {
  server.use(http.get(url, () => HttpResponse.text('black')))
  const { data } = await axios.get(url, { responseType: 'blob' })
  expect(data).toBeInstanceOf(Blob)
  expect(await data.text()).toBe('black')
})
`,
    )
    const { code, output } = await run()
    expect(code, output).toBe(0)
    expect(output).toContain('Tests:       3 passed, 3 total')
  })

  const mswHandlers = `import { delay, http, HttpResponse } from 'msw'
export const handlers = [
  http.get('http://office.example/found', async () => {
    await delay(1)
    return HttpResponse.json('found')
  }),
]
`
  test.for(['@understudy/engine/jest-jsdom', '@understudy/engine/jest-node', 'jest-fixed-jsdom'])(
    '`msw` as an alias by moduleNameMapper, in %s',
    async (environment) => {
      const isOther = environment === 'jest-fixed-jsdom'
      await configure(`{
  testEnvironment: '${environment}',
  ${isOther ? `${options},` : ''}
  moduleNameMapper: { '^msw(/.*)?$': '@understudy/msw$1' },
}`)
      await project.write('src/handlers.js', mswHandlers)
      await project.edit('src/small.spec.js', '@understudy/engine/node', 'msw/node')
      const { code, output } = await run()
      expect(code, output).toBe(0)
      expect(output).toContain('Tests:       1 passed, 1 total')
    },
  )

  test('another environment, configured with only the export condition', async () => {
    await configure(`{
  testEnvironment: 'node',
  testEnvironmentOptions: { customExportConditions: ['@understudy/jest', 'node', 'node-addons'] },
}`)
    const { code, output } = await run()
    expect(code, output).toBe(0)
    expect(output).toContain('Tests:       1 passed, 1 total')
  })
})

test('the documentation has the files of this project', async () => {
  const docs = await readFile(join(repository, 'docs/jest.md'), 'utf8')
  for (const file of ['jest.config.js', 'jest.setup.ts', 'src/mocks/server.ts', 'src/office.spec.ts']) {
    expect(docs).toContain(`// ${file}\n${await project.read(file)}\`\`\``)
  }
})
