import { expect, it } from 'vitest'

import { proceed, proceedAsync, type Steps } from './steps.ts'

it('returns the result, not a promise, if the function waits for nothing', () => {
  function* read(letter: string): Steps<string> {
    return letter === '' ? yield Promise.resolve('b') : letter
  }
  expect(proceed(read('a'))).toBe('a')
})

it('passes values and errors of promises into the function', async () => {
  function* read(): Steps<string[]> {
    const first: string = yield Promise.resolve('a')
    try {
      yield Promise.reject(new Error('b'))
    } catch (error) {
      const third: string = yield Promise.resolve('c')
      return [first, (error as Error).message, third]
    }
    return []
  }
  expect(await proceed(read())).toEqual(['a', 'b', 'c'])
})

it('waits for objects that have only then()', async () => {
  function* read(): Steps<string> {
    // oxlint-disable-next-line unicorn/no-thenable -- this is what the test is about
    return yield { then: (resolve: (value: string) => void) => resolve('a') } as PromiseLike<string>
  }
  expect(await proceed(read())).toBe('a')
})

it('throws what the function throws before it waits, and rejects with what it throws later', async () => {
  function* fail(isLater: boolean): Steps<void> {
    if (isLater) yield Promise.resolve()
    throw new Error('Boom')
  }
  expect(() => proceed(fail(false))).toThrow('Boom')
  await expect(proceed(fail(true))).rejects.toThrow('Boom')
})

it('rejects with the error of a promise that the function does not catch', async () => {
  function* fail(): Steps<void> {
    yield Promise.reject(new Error('Boom'))
  }
  await expect(proceed(fail())).rejects.toThrow('Boom')
})

it.each([false, true])('returns a promise in any case if the caller wants one (waits: %s)', async (waits) => {
  function* read(isWrong: boolean): Steps<string> {
    if (waits) yield Promise.resolve()
    if (isWrong) throw new Error('Boom')
    return 'a'
  }
  const result = proceedAsync(read(false))
  expect(result).toBeInstanceOf(Promise)
  expect(await result).toBe('a')
  await expect(proceedAsync(read(true))).rejects.toThrow('Boom')
})
