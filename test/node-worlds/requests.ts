/** The text of a module that makes requests with every kind of client, and prints the answers. */
export const requestsModule: string = `
import { http, HttpResponse } from '@understudy/engine'
import { setupServer } from '@understudy/engine/node'
import axios from 'axios'
import nodeHttp from 'node:http'
import https from 'node:https'

const server = setupServer(
  http.get('http://api.test/user/:id', ({ params }) => HttpResponse.json({ id: params.id })),
  http.post('https://api.test/echo', async ({ request }) => HttpResponse.text('got ' + (await request.text()))),
)

function byNode(client, url, { method, body } = {}) {
  return new Promise((resolve, reject) => {
    const request = client.request(url, { method }, async (response) => {
      let text = ''
      for await (const chunk of response) text += chunk
      resolve(text)
    })
    request.on('error', reject)
    request.end(body)
  })
}

function byXhr(url, { method = 'GET', body } = {}) {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open(method, url)
    request.onload = () => resolve(request.responseText)
    request.onerror = () => reject(new Error('Network error'))
    request.send(body)
  })
}

const clients = {
  fetch: async (url, init) => (await fetch(url, init)).text(),
  http: (url, init) => byNode(url.startsWith('https') ? https : nodeHttp, url, init),
  axios: async (url, { method = 'GET', body } = {}) =>
    (await axios.request({ url, method, data: body, responseType: 'text', transformResponse: (text) => text })).data,
  ...(typeof XMLHttpRequest === 'function' && { XMLHttpRequest: byXhr }),
}

/** The response of each client, by its name. */
export async function requestByEach(real) {
  server.listen({ onUnhandledRequest: 'bypass' })
  const answers = {}
  try {
    for (const [name, ask] of Object.entries(clients)) {
      answers[name] = [
        await ask('http://api.test/user/5'),
        await ask('https://api.test/echo', { method: 'POST', body: 'Grüße' }),
        await ask(real),
      ]
    }
  } finally {
    server.close()
  }
  return { answers, afterwards: await clients.http(real) }
}
`

/** The expected response for each client. */
export const expectedAnswers: readonly string[] = ['{"id":"5"}', 'got Grüße', 'the real one']
