/** APIs of a page that jsdom lacks. */
import { http, HttpResponse } from '@understudy/engine'

import { server } from './mocks/server'
import { listFound, showClaimForm } from './office'

async function claim(name: string): Promise<string> {
  showClaimForm(document.body)
  document.querySelector('input')!.value = name
  document.querySelector('button')!.click()
  const output = document.querySelector('output')!
  await new Promise<void>((resolve) => {
    new MutationObserver(() => resolve()).observe(output, { childList: true })
  })
  return output.textContent
}

test('a form is refused, and then accepted', async () => {
  expect(await claim('')).toBe('Say who you are.')
  expect(await claim('Ada')).toBe('It waits for Ada.')
})

test('an aborted request', async () => {
  const controller = new AbortController()
  server.use(http.get('/api/found', () => new Promise(() => controller.abort())))
  await expect(listFound(controller.signal)).rejects.toThrow(expect.objectContaining({ name: 'AbortError' }))
  await expect(listFound(controller.signal)).rejects.toThrow(expect.objectContaining({ name: 'AbortError' }))
})

test('XMLHttpRequest', async () => {
  const xhr = new XMLHttpRequest()
  xhr.open('GET', '/api/found')
  xhr.responseType = 'json'
  await new Promise((resolve) => {
    xhr.onloadend = resolve
    xhr.send()
  })
  expect([xhr.status, xhr.response]).toEqual([200, [{ id: 1, what: 'One umbrella' }]])
})

test('bodies and their parts', async () => {
  server.use(
    http.post('/api/files', async ({ request }) => {
      const file = (await request.formData()).get('file') as File
      return HttpResponse.json([file.name, file.type, await file.text()])
    }),
    http.get('/api/stream', () => new HttpResponse(new Blob(['in ', 'parts']).stream())),
  )
  const body = new FormData()
  body.set('file', new File(['text'], 'notes.txt', { type: 'text/plain' }))
  expect(await (await fetch('/api/files', { method: 'POST', body })).json()).toEqual([
    'notes.txt',
    'text/plain',
    'text',
  ])
  const reader = (await fetch(new Request('/api/stream'))).body!.pipeThrough(new TextDecoderStream()).getReader()
  expect((await reader.read()).value).toContain('in')
  expect(new TextDecoder().decode(new TextEncoder().encode('ü'))).toBe('ü')
  expect(structuredClone({ a: 1 })).toEqual({ a: 1 })
})

test('elements still accept the page’s own classes', () => {
  const controller = new AbortController()
  let clicks = 0
  document.body.addEventListener('click', () => (clicks += 1), { signal: controller.signal })
  document.body.click()
  controller.abort()
  document.body.click()
  expect(clicks).toBe(1)
})
