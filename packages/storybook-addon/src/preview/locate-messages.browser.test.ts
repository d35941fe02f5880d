import { createWorker, Network } from '@understudy/engine/internal/page'
import { expect, test, vi } from 'vitest'

import { locateMessages } from './locate-messages.ts'

test('only scripts of this origin are read, once, because a message may contain the URL of a request', async () => {
  const asked: string[] = []
  vi.stubGlobal('fetch', (url: string) => {
    asked.push(url)
    return Promise.resolve(new Response(''))
  })
  const locate = locateMessages(createWorker(new Network([])))
  const { origin } = location
  const text = `GET https://api.test/items:1:2, GET https://api.test/a.js:1:2, GET ${origin}/api/items:1:2 at ${origin}/main.js:3:4`
  expect(await locate(text)).toBe(text)
  expect(await locate(text)).toBe(text)
  expect(asked).toEqual([`${origin}/main.js`])
  vi.unstubAllGlobals()
})
