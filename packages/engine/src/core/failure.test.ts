import { afterEach, expect, it, vi } from 'vitest'

import { failure, print } from './failure.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

it('says what failed, why, and what to do', () => {
  const error = failure('add handlers', 'argument 2 is an array', 'Spread it.')
  expect(error).toBeInstanceOf(Error)
  expect(String(error)).toBe('UnderstudyError: Failed to add handlers: argument 2 is an array. Spread it.')
  expect('cause' in error).toBe(false)
})

it('keeps the error beneath', () => {
  const cause = new Error('beneath')
  expect(failure('read the file', 'it is broken', 'Mend it.', { cause }).cause).toBe(cause)
})

it.each(['info', 'warn', 'error'] as const)("print.%s names the product before the message's details", (level) => {
  const line = vi.spyOn(console, level).mockReturnValue(undefined)
  const detail = { a: 1 }
  print[level]('Mocking is on.', detail)
  expect(line).toHaveBeenCalledExactlyOnceWith('[understudy] Mocking is on.', detail)
})
