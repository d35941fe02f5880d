import { expect, test } from 'vitest'

import { closest, readOptions } from './options.ts'

const read = (options: unknown) => () => readOptions(options, 'understudy()')

test('fills in the defaults', () => {
  const defaults = {
    handlers: undefined,
    enabled: undefined,
    onUnhandledRequest: 'warn',
    quiet: false,
    expose: false,
    panel: true,
    worker: { file: 'understudy-worker.js', scope: undefined },
    leaks: 'error',
  }
  expect(read(undefined)()).toMatchObject(defaults)
  expect(read({ quiet: undefined, worker: {} })()).toMatchObject(defaults)
})

test('keeps the given options', () => {
  const options = {
    handlers: 'mocks',
    enabled: true,
    onUnhandledRequest: 'error',
    worker: { file: 'sw.js', scope: '/' },
  }
  expect(read(options)()).toMatchObject(options)
})

test.each(['/', '/app/', '/app', './', '../app/'])('takes the scope %s', (scope) => {
  expect(read({ worker: { scope } })().worker.scope).toBe(scope)
})

test.each([
  [{ handlres: '' }, 'there is no option "handlres". Did you mean "handlers"?'],
  [{ onUnhandledRequests: 'warn' }, 'there is no option "onUnhandledRequests". Did you mean "onUnhandledRequest"?'],
  [{ worker: { fiel: 'sw.js' } }, 'there is no option "worker.fiel". Did you mean "worker.file"?'],
  [{ worker: { name: 'sw.js' } }, 'there is no option "worker.name". The options are: worker.file, worker.scope.'],
  [{ constructor: 1 }, 'there is no option "constructor". The options are: handlers, enabled,'],
  [{ quiet: 'yes' }, '"quiet" is "yes". It takes a boolean.'],
  [{ handlers: ['a'] }, '"handlers" is ["a"]. It takes a file name.'],
  [{ onUnhandledRequest: 'ignore' }, '"onUnhandledRequest" is "ignore". It takes "bypass", "warn" or "error".'],
  [{ onUnhandledRequest: () => {} }, 'a function is exported by the handlers module, as "onUnhandledRequest"'],
  [{ worker: 'sw.js' }, '"worker" is "sw.js". It takes an object: { file, scope }.'],
  [
    { worker: { file: '/sw.js' } },
    '"worker.file" is "/sw.js". It takes a file name that ends in .js, without a slash at its start and without "..".',
  ],
  [
    { worker: { file: '../sw.js' } },
    '"worker.file" is "../sw.js". It takes a file name that ends in .js, without a slash at its start and without "..".',
  ],
  [{ worker: { file: 'a/../../sw.js' } }, '"worker.file" is "a/../../sw.js".'],
  [{ worker: { file: 'a\\..\\sw.js' } }, '"worker.file" is'],
  [{ worker: { scope: 'app' } }, '"worker.scope" is "app". It takes a path that begins with a slash, such as "/app/".'],
  [{ worker: { scope: '' } }, '"worker.scope" is "".'],
  [{ worker: { scope: '//cdn.example/' } }, '"worker.scope" is "//cdn.example/".'],
  [{ worker: { scope: 'https://other.example/' } }, '"worker.scope" is "https://other.example/".'],
  [{ worker: [] }, '"worker" is []. It takes an object: { file, scope }.'],
  [{ panel: [] }, '"panel" is []. It takes a boolean, or an object: { dock, shortcut }.'],
  [{ handlers: '' }, '"handlers" is "". It takes a file name.'],
  [[{ quiet: true }], 'Failed to read the options of understudy(): they are an array. Pass an object.'],
  [{ leaks: 'ignore' }, '"leaks" is "ignore". It takes "error" or "warn".'],
  ['handlers.ts', 'Failed to read the options of understudy(): they are a string. Pass an object.'],
])('refuses %o', (options, message) => {
  expect(read(options)).toThrow(message)
})

test('suggests the closest name, and none if all differ too much', () => {
  expect(closest('handler', ['enabled', 'handlers'])).toBe('handlers')
  expect(closest('Quite', ['quiet', 'worker'])).toBe('quiet')
  expect(closest('something', ['quiet', 'worker'])).toBe(undefined)
})
