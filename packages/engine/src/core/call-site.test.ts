import { afterEach, describe, expect, it, vi } from 'vitest'

import { captureCallSite, formatCallSite, type CallSite } from './call-site.ts'

function capture(): CallSite | undefined {
  return captureCallSite(capture)()
}

/** Reads the call site of a stack with one frame. */
function read(frame: string): CallSite | undefined {
  const V8Error = Error as ErrorConstructor & { captureStackTrace(holder: object, below: unknown): void }
  vi.spyOn(V8Error, 'captureStackTrace').mockImplementation((holder) => {
    Object.assign(holder, { stack: frame })
  })
  return captureCallSite(capture)()
}

afterEach(() => {
  vi.restoreAllMocks()
})

describe('captureCallSite', () => {
  it('returns the line that the function was called from', () => {
    const here = capture()
    const below = capture()
    expect(here?.file).toContain('core/call-site.test.ts')
    expect(below?.line).toBe((here?.line ?? 0) + 1)
    expect(here?.column).toBeGreaterThan(0)
  })

  it('does not change the depth of stacks', () => {
    const { stackTraceLimit } = Error as ErrorConstructor & { stackTraceLimit?: number }
    capture()
    expect((Error as ErrorConstructor & { stackTraceLimit?: number }).stackTraceLimit).toBe(stackTraceLimit)
  })

  it('reads the line where Error is frozen', () => {
    const limit = Object.getOwnPropertyDescriptor(Error, 'stackTraceLimit')
    Object.defineProperty(Error, 'stackTraceLimit', { ...limit, writable: false })
    try {
      expect(capture()?.file).toContain('core/call-site.test.ts')
    } finally {
      Object.defineProperty(Error, 'stackTraceLimit', { ...limit, writable: true })
    }
  })

  it.each<[frame: string, file: string]>([
    ['Error\n    at file:///app/handlers.ts:12:3', 'file:///app/handlers.ts'],
    ['Error\n    at Object.<anonymous> (/app/handlers.js:12:3)', '/app/handlers.js'],
    ['Error\n    at async Promise.all (file:///app/handlers.ts:12:3)', 'file:///app/handlers.ts'],
    ['Error\n    at async file:///app/handlers.ts:12:3', 'file:///app/handlers.ts'],
    ['Error\n    at new Handlers (C:\\app\\handlers.ts:12:3)', 'C:\\app\\handlers.ts'],
    ['Error\n    at create [as make] (/app/handlers.ts:12:3)', '/app/handlers.ts'],
    ['Error\n    at http://localhost:5173/src/handlers.ts?t=5:12:3', 'http://localhost:5173/src/handlers.ts?t=5'],
    ['Error\n    at eval (webpack-internal:///./src/handlers.ts:12:3)', 'webpack-internal:///./src/handlers.ts'],
    ['Error\n    at /app/node_modules/@scope/mocks/handlers.js:12:3', '/app/node_modules/@scope/mocks/handlers.js'],
    ['Error\n    at GET (/app/(shop)/api/@modal/handlers.ts:12:3)', '/app/(shop)/api/@modal/handlers.ts'],
    ['Error\n    at /app/(shop)/handlers.ts:12:3', '/app/(shop)/handlers.ts'],
    ['Error\n    at GET (/my apps (copy)/handlers.ts:12:3)', '/my apps (copy)/handlers.ts'],
    ['handlers@http://localhost:5173/@fs/app/handlers.ts:12:3', 'http://localhost:5173/@fs/app/handlers.ts'],
    ['@http://localhost:5173/src/handlers.ts:12:3', 'http://localhost:5173/src/handlers.ts'],
    ['module code@http://localhost:5173/src/handlers.ts:12:3', 'http://localhost:5173/src/handlers.ts'],
  ])('reads "%s"', (frame, file) => {
    expect(read(frame)).toEqual({ file, line: 12, column: 3 })
  })

  it.each(['', 'Error', 'Error\n    at <anonymous>', 'Error\n    at native'])('reads nothing from "%s"', (frame) => {
    expect(read(frame)).toBe(undefined)
  })
})

describe('formatCallSite', () => {
  it('leaves out the query of a module', () => {
    expect(formatCallSite({ file: 'http://localhost:5173/src/handlers.ts?t=5', line: 12, column: 3 })).toBe(
      'http://localhost:5173/src/handlers.ts:12:3',
    )
  })

  it.each([
    ['file:///app/my%20mocks/handlers.ts', '/app/my mocks/handlers.ts:12:3'],
    ['file:///C:/app/handlers.ts?t=5', 'C:/app/handlers.ts:12:3'],
    ['/app/handlers.ts', '/app/handlers.ts:12:3'],
  ])('names %s as %s', (file, text) => {
    expect(formatCallSite({ file, line: 12, column: 3 })).toBe(text)
  })
})
