import { isCancel } from 'axios'
import { delay, http, HttpResponse } from 'msw'

import { server } from '../mocks/server'
import { client } from './client'
import { addRepair, attachPhoto, downloadInvoice, finishRepair, listRepairs, signIn } from './repairs'

test('a request without the token is refused', async () => {
  await expect(listRepairs()).rejects.toMatchObject({ response: { status: 401, data: { message: 'Sign in first.' } } })
})

test('the token of the sign-in is sent with the next request', async () => {
  expect(await signIn('ada@example.com', 'chain')).toEqual({ name: 'ada' })
  const sent: (string | null)[] = []
  server.events.on('request:start', ({ request }) => void sent.push(request.headers.get('authorization')))
  expect(await listRepairs('done')).toEqual([{ id: '2', bike: 'Cargo bike', status: 'done' }])
  expect(sent).toEqual(['Bearer desk-token'])
})

test('events contain the request and the response', async () => {
  const log: string[] = []
  server.events.on('request:start', async ({ request }) => {
    log.push(`${request.method} ${new URL(request.url).pathname} ${await request.clone().text()}`)
  })
  const answered = new Promise<void>((resolve) => {
    server.events.on('response:mocked', async ({ response, request }) => {
      log.push(`${response.status} ${request.method} ${(await response.clone().json()).bike}`)
      resolve()
    })
  })
  await addRepair('Penny-farthing')
  await answered
  expect(log).toEqual(['POST /api/repairs {"bike":"Penny-farthing"}', '201 POST Penny-farthing'])
})

test('a photo is uploaded, with progress events', async () => {
  const progress: number[] = []
  const photo = new File(['not really a photo'], 'tandem.jpg', { type: 'image/jpeg' })
  const answer = await attachPhoto('1', photo, (loaded) => progress.push(loaded))
  expect(answer).toEqual({ name: 'tandem.jpg', type: 'image/jpeg', size: 18 })
  expect(progress.at(-1)).toBeGreaterThan(18)
})

test('a cookie of the page reaches the handler', async () => {
  document.cookie = 'desk=front; Path=/'
  server.use(http.get('/api/repairs', ({ cookies }) => HttpResponse.json([cookies.desk])))
  expect(await listRepairs()).toEqual(['front'])
})

test('an invoice is downloaded as bytes', async () => {
  const { type, bytes } = await downloadInvoice('1')
  expect(type).toBe('application/pdf')
  expect(new TextDecoder().decode(bytes)).toBe('%PDF-1.7')
})

test('a missing repair is a 404', async () => {
  await expect(finishRepair('99')).rejects.toMatchObject({ response: { status: 404 } })
})

test('a request is cancelled', async () => {
  server.use(
    http.get('/api/repairs', async () => {
      await delay('infinite')
      return HttpResponse.json([])
    }),
  )
  const controller = new AbortController()
  const pending = listRepairs(undefined, controller.signal)
  setTimeout(() => controller.abort(), 10)
  const error: unknown = await pending.catch((reason: unknown) => reason)
  expect(isCancel(error)).toBe(true)
})

test('a slow answer is awaited', async () => {
  server.use(
    http.get('/api/repairs', async () => {
      await delay(60)
      return HttpResponse.json([])
    }),
  )
  const pending = listRepairs()
  const pause = new Promise((resolve) => setTimeout(resolve, 10, 'still waiting'))
  expect(await Promise.race([pending, pause])).toBe('still waiting')
  expect(await pending).toEqual([])
})

test('a request without a handler fails', async () => {
  const printed = vi.spyOn(console, 'error').mockImplementation(() => {})
  await expect(client.get('/nowhere')).rejects.toThrow('Network Error')
  expect(printed).toHaveBeenCalled()
  printed.mockRestore()
})

test('fetch beside axios is mocked, too', async () => {
  const response = await fetch('http://localhost:3000/api/repairs/1/invoice')
  expect(await response.text()).toBe('%PDF-1.7')
})

test('an answer in parts is read while it arrives', async () => {
  server.use(
    http.get('http://localhost:3000/api/log', () => {
      const encoder = new TextEncoder()
      const parts = ['frame, ', 'wheels, ', 'chain']
      return new HttpResponse(
        new ReadableStream({
          async pull(controller) {
            const part = parts.shift()
            if (part === undefined) return controller.close()
            await delay(5)
            controller.enqueue(encoder.encode(part))
          },
        }),
        { headers: { 'Content-Type': 'text/plain' } },
      )
    }),
  )
  const { body } = await fetch('http://localhost:3000/api/log')
  const reader = body!.getReader()
  const decoder = new TextDecoder()
  const read: string[] = []
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    read.push(decoder.decode(value))
  }
  expect(read.join('')).toBe('frame, wheels, chain')
  expect(read.length).toBeGreaterThan(1)
})
