import { afterEach, expect, it, vi } from 'vitest'

import { failure, print, withCode } from './failure.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

it('the message contains what failed, the reason, and what to do', () => {
  const error = failure('US0101', 'add handlers', 'argument 2 is an array', 'Spread it.')
  expect(error).toBeInstanceOf(Error)
  expect(String(error)).toBe('UnderstudyError: Failed to add handlers: argument 2 is an array. Spread it. (US0101)')
  expect(error.code).toBe('US0101')
  expect('cause' in error).toBe(false)
})

it('keeps the underlying error', () => {
  const cause = new Error('underlying')
  expect(failure('US0104', 'read the file', 'it is broken', 'Fix the error and save the file.', { cause }).cause).toBe(
    cause,
  )
})

it("print.info names the product before the message's details", () => {
  const line = vi.spyOn(console, 'info').mockReturnValue(undefined)
  const detail = { a: 1 }
  print.info('Mocking is on.', detail)
  expect(line).toHaveBeenCalledExactlyOnceWith('[understudy] Mocking is on.', detail)
})

it.each(['warn', 'error'] as const)('print.%s names the product and the code', (level) => {
  const line = vi.spyOn(console, level).mockReturnValue(undefined)
  const detail = { a: 1 }
  print[level]('US0303', 'Failed to start the worker.', detail)
  expect(line).toHaveBeenCalledExactlyOnceWith('[understudy] Failed to start the worker. (US0303)', detail)
})

it('puts the code at the end of the first line, because further lines are for copying', () => {
  const text = 'No handler matches GET /user\n  http.get("/user", () => HttpResponse.json({})),'
  expect(withCode('US0201', text)).toBe(
    'No handler matches GET /user (US0201)\n  http.get("/user", () => HttpResponse.json({})),',
  )
})
