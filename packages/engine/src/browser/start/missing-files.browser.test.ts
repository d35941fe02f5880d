import { afterEach, expect, test, vi } from 'vitest'

import { http } from '../../http/http.ts'
import { setupWorker } from './setup-worker.ts'

// During a navigation, a page that is starting no longer loads these files.
vi.mock('../documents/watch-documents.ts', () => {
  throw new Error('not loaded')
})
vi.mock('../reports/report-escaped.ts', () => {
  throw new Error('not loaded')
})

afterEach(() => {
  vi.restoreAllMocks()
})

test('a file of the start that does not load raises no unhandled rejection', async () => {
  const reasons: unknown[] = []
  const last = new Error('last')
  const listening = new AbortController()
  const isOver = new Promise<void>((resolve) => {
    const onRejection = (event: PromiseRejectionEvent): void => {
      event.preventDefault()
      event.stopImmediatePropagation()
      if (event.reason === last) resolve()
      else reasons.push(event.reason)
    }
    addEventListener('unhandledrejection', onRejection, { capture: true, signal: listening.signal })
  })
  const worker = setupWorker(http.get('/user', () => undefined))
  await worker.start({ quiet: true, onUnhandledRequest: 'bypass' })
  const frame = document.createElement('iframe')
  document.body.append(frame)
  worker.stop()
  await expect(import('../documents/watch-documents.ts')).rejects.toBeInstanceOf(Error)
  await expect(import('../reports/report-escaped.ts')).rejects.toBeInstanceOf(Error)
  // Browsers report rejections in their order.
  void Promise.reject(last)
  await isOver
  frame.remove()
  listening.abort()
  expect(reasons).toEqual([])
})
