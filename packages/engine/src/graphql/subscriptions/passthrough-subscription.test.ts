import { expect, test, vi } from 'vitest'

import { readResults } from '../response/read-results.ts'
import { eventStream, type ResultFrame } from '../response/result-format.ts'
import { createResultStream } from '../response/result-stream.ts'
import { PassthroughSubscription } from './passthrough-subscription.ts'

const frames: ResultFrame[] = [
  { type: 'next', payload: { data: { count: 1 } } },
  { type: 'next', payload: { data: { count: 2 } } },
  { type: 'complete' },
]

function subscribe(report: (error: unknown) => void) {
  const stream = createResultStream(eventStream)
  const operation = {
    id: '1',
    operationName: '',
    query: '',
    variables: {},
    extensions: {},
    async *perform() {
      for (const frame of frames) yield await Promise.resolve(frame)
    },
  }
  const passed = new PassthroughSubscription(operation, stream, report)
  return { passed, results: collect(stream.response) }
}

async function collect(response: Response): Promise<ResultFrame[]> {
  const found: ResultFrame[] = []
  for await (const frame of readResults(response)) found.push(frame)
  return found
}

const error = new Error('broken')

test.each([
  [
    'throws',
    () => {
      throw error
    },
  ],
  ['rejects', () => Promise.reject(error)],
])('a listener that %s is reported, and the others get the event', async (_how, listener) => {
  const report = vi.fn<(error: unknown) => void>()
  const { passed, results } = subscribe(report)
  const types: string[] = []
  for (const type of ['next', 'complete'] as const) {
    passed.addEventListener(type, listener)
    passed.addEventListener(type, (event) => types.push(event.type))
  }
  expect(await results).toEqual(frames)
  expect(types).toEqual(['next', 'next', 'complete'])
  expect(report.mock.calls).toEqual([[error], [error], [error]])
})
