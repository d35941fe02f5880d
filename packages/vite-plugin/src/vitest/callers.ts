import { AsyncLocalStorage } from 'node:async_hooks'

import { setAroundCalls } from '@understudy/engine/internal/node'

/** Has the stack of the code that made a request. V8 formats it when it is read. */
interface Caller {
  readonly stack?: string
}

const callers = new AsyncLocalStorage<Caller>()

/** Test helpers and libraries may be between the test and its request. */
const stackLimit = 50

/** The frames of Node and of our packages, which come first. */
const ownFrame = /\(?(?:node:|.*[\\/](?:node_modules[\\/]@understudy|packages[\\/](?:engine|vite-plugin))[\\/])/

/** The frames of Vitest, which come last. */
const runnerFrame = /[\\/]node_modules[\\/]@?vitest[\\/]/

/** Remembers where code makes each request, so that the failure of a test shows the line. */
export function rememberCallers(): void {
  setAroundCalls((start) => {
    const caller: Caller = {}
    const { stackTraceLimit } = Error
    Error.stackTraceLimit = stackLimit
    Error.captureStackTrace(caller)
    Error.stackTraceLimit = stackTraceLimit
    return callers.run(caller, start)
  })
}

/** Returns the stack of the code that made the current request, one frame per line; `''` if it is unknown. */
export function stackOfCaller(): string {
  const lines = callers.getStore()?.stack?.split('\n') ?? []
  const frames = lines.filter((line) => /^\s+at /.test(line))
  const first = frames.findIndex((frame) => !ownFrame.test(frame))
  const last = frames.findIndex((frame) => runnerFrame.test(frame))
  return first === -1 ? '' : frames.slice(first, last === -1 ? undefined : last).join('\n')
}
