import { afterEach, describe, expect, it, vi } from 'vitest'

import { graphql } from '../graphql/graphql.ts'
import { http } from '../http/http.ts'
import { rest } from '../rest/rest.ts'
import { sse } from '../sse/sse.ts'
import { ws } from '../ws/ws.ts'
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

  it.each<[name: string, create: () => { readonly info: { readonly callSite: CallSite | undefined } }]>([
    ['http.get', () => http.get('/user/:id', () => undefined)],
    ['rest.get', () => rest.get('/user/:id', () => undefined)],
    ['sse', () => sse('/events', () => {})],
    ['graphql.query', () => graphql.query('GetUser', () => undefined)],
    ['graphql.operation', () => graphql.operation(() => undefined)],
    ['graphql.subscription', () => graphql.subscription('Users', () => undefined)],
    ['ws.link', () => ws.link('ws://app.test/chat').addEventListener('connection', () => {})],
  ])('formats no stack when %s creates a handler, because this takes longer than all the rest', (_name, create) => {
    const format = vi.fn<() => string>(() => 'Error\n    at file:///app/handlers.ts:12:3')
    const V8Error = Error as ErrorConstructor & { captureStackTrace(holder: object, below: unknown): void }
    const capturing = vi.spyOn(V8Error, 'captureStackTrace').mockImplementation((holder) => {
      Object.defineProperty(holder, 'stack', { get: format })
    })
    const handler = create()
    expect(capturing).toHaveBeenCalled()
    expect(format).not.toHaveBeenCalled()
    expect(handler.info.callSite).toEqual({ file: 'file:///app/handlers.ts', line: 12, column: 3 })
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
    ['/app/c#/(shop)/[id]/handlers.ts', '/app/c#/(shop)/[id]/handlers.ts:12:3'],
    ['file:///app/c%23/what%3F/@modal/handlers.ts', '/app/c#/what?/@modal/handlers.ts:12:3'],
    ['http://localhost:5173/src/(shop)/handlers.ts?t=5#a', 'http://localhost:5173/src/(shop)/handlers.ts:12:3'],
  ])('names %s as %s', (file, text) => {
    expect(formatCallSite({ file, line: 12, column: 3 })).toBe(text)
  })
})
