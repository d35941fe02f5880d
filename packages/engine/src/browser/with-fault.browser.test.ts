import { afterEach, describe, expect, test } from 'vitest'

import { HttpResponse } from '../core/responses/http-response.ts'
import { withFault } from '../core/responses/with-fault.ts'
import { http } from '../http/http.ts'
import { setupWorker, type SetupWorker } from './start/setup-worker.ts'

let worker: SetupWorker | undefined
afterEach(() => {
  worker?.stop()
  Reflect.deleteProperty(navigator, 'serviceWorker')
})

const handlers = [
  http.get('/truncated', () => withFault(HttpResponse.text('helloworld'), { kind: 'truncated-body', after: 5 })),
  http.get('/malformed', () => withFault(HttpResponse.text('helloworld'), { kind: 'malformed-chunk', after: 5 })),
  http.get('/slow', () =>
    withFault(HttpResponse.text('helloworld'), { kind: 'slow-chunks', chunkSize: 4, interval: 5 }),
  ),
]

describe.each([
  ['a service worker', false],
  ['no service worker', true],
])('a page with %s', (_name, isWithout) => {
  test.each(['/truncated', '/malformed'])('gets the headers of %s, and an error for the body', async (path) => {
    if (isWithout) Object.defineProperty(navigator, 'serviceWorker', { value: undefined, configurable: true })
    worker = setupWorker(...handlers)
    await worker.start({ quiet: true, onUnhandledRequest: 'bypass' })
    const response = await fetch(path)
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/plain'])
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
    const read: string[] = []
    const failure = (async () => {
      for (;;) {
        const step = await reader?.read()
        if (!step || step.done) return 'the body has ended'
        read.push(step.value)
      }
    })()
    await expect(failure).rejects.toBeInstanceOf(TypeError)
    // A stream that fails drops chunks that were not read yet, also in the worker.
    expect('hello'.startsWith(read.join(''))).toBe(true)
    await expect((await fetch(path)).text()).rejects.toBeInstanceOf(TypeError)
  })

  test('reads a slow body completely', async () => {
    if (isWithout) Object.defineProperty(navigator, 'serviceWorker', { value: undefined, configurable: true })
    worker = setupWorker(...handlers)
    await worker.start({ quiet: true, onUnhandledRequest: 'bypass' })
    expect(await (await fetch('/slow')).text()).toBe('helloworld')
  })
})
