import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, beforeAll, expect, test } from 'vitest'

import { createHandlersSearch, declareOptions } from './project-handlers.ts'

let root: string
beforeAll(async () => {
  root = (await realpath(await mkdtemp(join(tmpdir(), 'understudy-handlers-')))).replaceAll('\\', '/')
  await mkdir(join(root, 'src/mocks'), { recursive: true })
})
afterAll(() => rm(root, { recursive: true, force: true }))

test('a project has no handlers until the file exists. From then on, a missing file is an error', async () => {
  const name = 'src/mocks/handlers.js'
  const search = createHandlersSearch({ configDir: join(root, '.storybook') })
  expect(search()).toEqual({})
  await writeFile(join(root, name), '')
  expect(search()).toEqual({ file: { path: `${root}/${name}`, name } })
  await rm(join(root, name))
  expect(search()).toEqual({ missing: { name, reason: 'The file does not exist.' } })
})

test('a missing file of the option "handlers" is an error from the start', () => {
  const search = (handlers: string | false) => createHandlersSearch({ configDir: join(root, '.storybook'), handlers })()
  expect(search('api.ts')).toEqual({
    missing: { name: 'api.ts', reason: expect.stringContaining('the file api.ts of the option "handlers"') as string },
  })
  expect(search(false)).toEqual({})
})

const declare = (options: object) => () => declareOptions({ configDir: '.storybook', ...options })

test('the preview gets only its options', () => {
  expect(declare({ composedBy: ['https://a.example', 'http://localhost:6006'], quiet: true, handlers: 'x' })()).toBe(
    'export const options = {"quiet":true,"composedBy":["https://a.example","http://localhost:6006"]}',
  )
})

test.each([
  [{ composedBy: '*' }, '"composedBy" is "*". It takes a list of origins'],
  [{ composedBy: ['*'] }, '"composedBy" is ["*"]'],
  [{ composedBy: ['https://a.example/'] }, 'without a path'],
  [{ composedBy: ['null'] }, '"composedBy" is ["null"]'],
  [{ onUnhandledRequest: () => {} }, 'a function is exported by the handlers module, as "onUnhandledRequest"'],
  [{ onUnhandledRequest: 'ignore' }, '"onUnhandledRequest" is "ignore". It takes "bypass", "warn" or "error".'],
  [{ quiet: 'no' }, '"quiet" is "no". It takes a boolean.'],
  [{ handlers: ['a.ts'] }, '"handlers" is ["a.ts"]. It takes a file name, or false.'],
])('refuses %o', (options, message) => {
  expect(declare(options)).toThrow(message)
})
