import { afterEach, expect, test, vi } from 'vitest'

import { http, HttpResponse, type Handler } from '../index.ts'
import { createServerMocking } from './server-mocking.ts'

const url = 'http://api.test/user'
const answer = (body: string): Handler => http.get(url, () => HttpResponse.text(body))
const read = async (): Promise<string> => (await fetch(url)).text()

const mocking = createServerMocking({ file: 'mocks/handlers.ts', onUnhandledRequest: 'error' })
afterEach(() => {
  mocking.server.resetHandlers()
  mocking.server.close()
  vi.restoreAllMocks()
})

test('takes the handlers of one module after the other, and keeps runtime handlers', async () => {
  await mocking.take({ handlers: [answer('first')] })
  expect(await read()).toBe('first')
  await mocking.take({ default: () => ({ group: [answer('second')] }) })
  expect(await read()).toBe('second')
  mocking.server.use(answer('used'))
  await mocking.take({ handlers: [answer('third')] })
  expect(await read()).toBe('used')
})

test('an invalid module is refused with its name, and the earlier handlers stay', async () => {
  await mocking.take({ handlers: [answer('good')] })
  await expect(mocking.take({ handlers: 1 })).rejects.toThrow('Failed to read the handlers of mocks/handlers.ts')
  expect(await read()).toBe('good')
})

test('the policy of the module is preferred to that of the options', async () => {
  const print = vi.spyOn(console, 'error').mockImplementation(() => {})
  await mocking.take({ handlers: [answer('x')] })
  await expect(fetch('http://api.test/other')).rejects.toThrow('fetch failed')
  expect(print).toHaveBeenCalled()
  const asked: string[] = []
  await mocking.take({
    handlers: [answer('x')],
    onUnhandledRequest({ url: missed }: Request) {
      asked.push(missed)
      throw new Error('no')
    },
  })
  await expect(fetch('http://api.test/other')).rejects.toThrow('fetch failed')
  expect(asked).toEqual(['http://api.test/other'])
})

test('the policy of the module may be a strategy, and an unknown one is an error', async () => {
  const print = vi.spyOn(console, 'error').mockImplementation(() => {})
  await mocking.take({ handlers: [answer('x')], onUnhandledRequest: 'bypass' })
  await expect(fetch('http://127.0.0.1:1/other')).rejects.toThrow('fetch failed')
  expect(print).not.toHaveBeenCalled()
  const wrong = { handlers: [answer('x')], onUnhandledRequest: 'fail' }
  await expect(mocking.take(wrong)).rejects.toThrow('"fail" is not a valid strategy')
})
