import { request as httpRequest } from 'node:http'

import { request as undiciRequest } from 'undici'
import { afterEach, beforeEach, describe, expect, test, vi, type MockInstance } from 'vitest'

import { http } from '../index.ts'
import { setupServer } from './setup-server.ts'

const server = setupServer()
const exceptions: string[] = []
server.events.on('unhandledException', ({ error }) => exceptions.push(error.message))

let print: MockInstance
beforeEach(() => {
  exceptions.length = 0
  print = vi.spyOn(console, 'error').mockReturnValue(undefined)
  server.listen({ onUnhandledRequest: 'error' })
})
afterEach(() => {
  server.close()
  server.resetHandlers()
  vi.restoreAllMocks()
})

const url = 'http://api.test/upload'
const bytes = new TextEncoder().encode('some')
/** A body that does not end. */
const endless = (): ReadableStream<Uint8Array> => new ReadableStream({ start: (stream) => stream.enqueue(bytes) })

/** Uploads that do not end, and that reject when the signal aborts them. */
const clients: Record<string, (signal: AbortSignal) => Promise<unknown>> = {
  'node:http': (signal) =>
    new Promise((resolve, reject) => {
      const request = httpRequest(url, { method: 'POST', signal }, resolve)
      request.on('error', reject)
      request.write(bytes)
    }),
  undici: (signal) => undiciRequest(url, { method: 'POST', body: endless() as never, signal }),
  fetch: (signal) => fetch(url, { method: 'POST', body: endless(), duplex: 'half', signal } as RequestInit),
}

test('the stream that fetch uploads is cancelled with the reason of the abort', async () => {
  const controller = new AbortController()
  const reason = new RangeError('enough')
  const cancel = vi.fn<(reason: unknown) => void>()
  const body = new ReadableStream({ start: (stream) => stream.enqueue(bytes), cancel })
  server.use(
    http.post(url, async ({ request }) => {
      queueMicrotask(() => controller.abort(reason))
      await request.text()
    }),
  )
  const init = { method: 'POST', body, duplex: 'half', signal: controller.signal } as RequestInit
  await expect(fetch(url, init)).rejects.toThrow(reason)
  expect(cancel.mock.calls).toEqual([[reason]])
})

describe.each(Object.entries(clients))('a client that aborts its request, by %s', (_name, send) => {
  test('ends the reading of the body with an AbortError, and is not reported as an error of the handler', async () => {
    const controller = new AbortController()
    const read = new Promise<unknown>((resolve) => {
      server.use(
        http.post(url, async ({ request }) => {
          const reader = request.body?.getReader()
          await reader?.read()
          controller.abort()
          try {
            await reader?.read()
          } catch (error) {
            resolve(error)
            throw error
          }
        }),
      )
    })
    await expect(send(controller.signal)).rejects.toHaveProperty('name', 'AbortError')
    expect(await read).toHaveProperty('name', 'AbortError')
    await new Promise((resolve) => setTimeout(resolve))
    expect([print.mock.calls, exceptions]).toEqual([[], []])
  })

  test('ends a resolver that throws the reason of the signal, and is not reported as an error of the handler', async () => {
    const controller = new AbortController()
    const thrown = new Promise<void>((resolve) => {
      server.use(
        http.post(url, async ({ request }) => {
          await new Promise((aborted) => {
            request.signal.addEventListener('abort', aborted)
            controller.abort(new RangeError('enough'))
          })
          resolve()
          request.signal.throwIfAborted()
        }),
      )
    })
    await expect(send(controller.signal)).rejects.toThrow(/enough|aborted/)
    await thrown
    await new Promise((resolve) => setTimeout(resolve))
    expect([print.mock.calls, exceptions]).toEqual([[], []])
  })

  test('prints every other error of the handler', async () => {
    const controller = new AbortController()
    server.use(
      http.post(url, async ({ request }) => {
        await new Promise((aborted) => {
          request.signal.addEventListener('abort', aborted)
          controller.abort()
        })
        throw new Error('a fault of the handler')
      }),
    )
    await expect(send(controller.signal)).rejects.toThrow('aborted')
    await vi.waitFor(() => expect(exceptions).toEqual(['a fault of the handler']))
    expect(print.mock.calls.flat()[0]).toMatch(/\(US0203\)$/)
  })
})
