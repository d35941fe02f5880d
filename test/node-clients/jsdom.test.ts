// @vitest-environment jsdom
import { http, HttpResponse } from '@understudy/engine'
import { setupServer } from '@understudy/engine/node'
import { expect, test } from 'vitest'

import { checkClient } from './check-client.ts'
import { checkXmlHttpRequest } from './check-xml-http-request.ts'
import { toFetchClient } from './fetch-client.ts'
import { xmlHttpRequestClient } from './xml-http-request-client.ts'

checkClient('XMLHttpRequest of jsdom', xmlHttpRequestClient)
checkClient('XMLHttpRequest of jsdom to another origin', {
  ...xmlHttpRequestClient,
  origin: () => 'http://api.test',
  sendsCookies: false,
})
checkClient('fetch beside jsdom', {
  ...toFetchClient((url, init) => fetch(url, init)),
  origin: () => location.origin,
})

checkXmlHttpRequest('jsdom')

/** Sends a request that requires a preflight, and waits for its error. */
async function failToPut(url: string): Promise<void> {
  const request = new XMLHttpRequest()
  request.open('PUT', url)
  const failed = new Promise((resolve) => request.addEventListener('error', resolve))
  request.send('{}')
  await failed
}

test('the report of an unhandled request to another origin names the request, not its preflight', async () => {
  const server = setupServer()
  const unhandled: string[] = []
  server.events.on('request:unhandled', ({ request }) => unhandled.push(`${request.method} ${request.url}`))
  server.listen({ onUnhandledRequest: 'error' })
  try {
    await failToPut('http://api.test/plays')
    expect(unhandled).toEqual(['PUT http://api.test/plays'])
  } finally {
    server.close()
  }
})

test('a handler for OPTIONS answers the preflight of a request that no handler matches', async () => {
  const asked: (string | null)[] = []
  const server = setupServer(
    http.options('http://api.test/plays', ({ request }) => {
      asked.push(request.headers.get('access-control-request-method'))
      return new HttpResponse(null, { status: 403 })
    }),
  )
  const unhandled: string[] = []
  server.events.on('request:unhandled', ({ request }) => unhandled.push(request.method))
  server.listen({ onUnhandledRequest: 'error' })
  try {
    await failToPut('http://api.test/plays')
    expect({ asked, unhandled }).toEqual({ asked: ['PUT'], unhandled: [] })
  } finally {
    server.close()
  }
})
