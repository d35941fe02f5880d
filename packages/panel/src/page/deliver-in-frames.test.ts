import type { InspectionPort } from '@understudy/engine/inspect'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import { deliverInFrames } from './deliver-in-frames.ts'

/** The functions that wait for the next frame. */
let frames: Map<number, () => void>
let receive: (message: unknown) => void
let got: unknown[]

const state = (revision: number): object => ({ understudy: 'network', type: 'state', revision })
const answer = { understudy: 'network', type: 'answer', call: 'x' }

beforeEach(() => {
  frames = new Map()
  got = []
  receive = () => {}
  let last = 0
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  vi.stubGlobal('requestAnimationFrame', (callback: () => void) => {
    frames.set((last += 1), callback)
    return last
  })
  vi.stubGlobal('cancelAnimationFrame', (id: number) => void frames.delete(id))
})

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

function listen(listener: (message: unknown) => void = (message) => got.push(message)): () => void {
  const port: InspectionPort = {
    send: () => {},
    listen(given) {
      receive = given
      return () => {
        receive = () => {}
      }
    },
  }
  return deliverInFrames(port).listen(listener)
}

function showFrame(): void {
  const callbacks = [...frames.values()]
  frames.clear()
  for (const callback of callbacks) callback()
}

test('states wait for the next frame, and keep their order', () => {
  listen()
  receive(state(1))
  receive(state(2))
  expect(got).toEqual([])
  showFrame()
  expect(got).toEqual([state(1), state(2)])
  receive(state(3))
  showFrame()
  vi.advanceTimersByTime(1000)
  showFrame()
  expect(got).toEqual([state(1), state(2), state(3)])
})

test('another message comes at once, after the states that were before it', () => {
  listen()
  receive(answer)
  expect(got).toEqual([answer])
  receive(state(1))
  receive(answer)
  expect(got).toEqual([answer, state(1), answer])
  showFrame()
  vi.advanceTimersByTime(1000)
  expect(got).toHaveLength(3)
})

test('data of any kind does not stop the delivery', () => {
  listen()
  for (const data of [null, undefined, 1, 'state', { type: null }]) receive(data)
  expect(got).toHaveLength(5)
})

test('where there are no frames, as in a closed dock, states come after a moment', () => {
  listen()
  receive(state(1))
  vi.advanceTimersByTime(50)
  receive(state(2))
  expect(got).toEqual([])
  vi.advanceTimersByTime(50)
  expect(got).toEqual([state(1), state(2)])
})

test('many states do not wait for each other in a hidden page, whose timers are late', () => {
  listen()
  for (let revision = 1; revision <= 60; revision += 1) receive(state(revision))
  expect(got).toHaveLength(51)
  vi.advanceTimersByTime(100)
  expect(got).toHaveLength(60)
})

test('an error of one message is reported, and the others are delivered', () => {
  const report = vi.fn<(error: unknown) => void>()
  vi.stubGlobal('reportError', report)
  listen((message) => {
    if ((message as { revision: number }).revision === 1) throw new Error('no')
    got.push(message)
  })
  receive(state(1))
  receive(state(2))
  showFrame()
  expect(got).toEqual([state(2)])
  expect(report).toHaveBeenCalledOnce()
})

test('after its end, no message is delivered, including one that waits', () => {
  const end = listen()
  receive(state(1))
  end()
  showFrame()
  vi.advanceTimersByTime(1000)
  expect(got).toEqual([])
})
