import http from 'node:http'

import { listen } from '../../subjects/listening.ts'
import { answer, lastPath, load, mswLikes, msw2, msw3, origin, understudy } from '../../subjects/msw-like.ts'
import type { Nock } from '../../subjects/peers.ts'
import { expectAnswer, type NodeRow } from '../node-row.ts'

const interceptors = 'only @mswjs/interceptors'
const nock = 'nock'

interface Interceptors {
  HttpRequestInterceptor: new () => {
    apply(): void
    on(name: 'request', listener: (event: { controller: { respondWith(response: Response): void } }) => void): void
  }
}

/** `http.request`, answered by a handler. */
export const httpRequest: NodeRow = {
  id: 'node-http-request',
  title: 'Node: mocked http.get',
  unit: '/s',
  variantsAre: 'handlers',
  cells: [understudy, msw3, msw2, nock, interceptors].map((subject) => ({ subject, variant: 1 })),
  goals: [{ subject: understudy, variant: 1, atLeast: 3, than: { subject: msw3, variant: 1 } }],
  floor: interceptors,
  whyMissed:
    'Node’s HTTP server parses the request and writes the response, so that unusual input behaves as it does with a real server. Nearly half of the processor time is Node’s client and server and the streams between them. A fifth is Understudy’s code, and an eighth the Request and the Response. The floor is the package that intercepts requests for MSW, without handlers. It does not reach the goal either.',
  async prepare(subject, count) {
    if (mswLikes.has(subject)) await listen(subject, count)
    else if (subject === nock) {
      const { default: mock } = await load<{ default: Nock }>('nock')
      mock(origin).persist().get(lastPath).reply(200, answer)
    } else {
      const { HttpRequestInterceptor } = await load<Interceptors>('@mswjs/interceptors/http')
      const interceptor = new HttpRequestInterceptor()
      interceptor.on('request', ({ controller }) => controller.respondWith(Response.json(answer)))
      interceptor.apply()
    }
    await expectAnswer(new Response(await get(origin + lastPath)), answer)
    return { run: () => get(origin + lastPath) }
  },
}

function get(url: string): Promise<string> {
  return new Promise((resolve, reject) => {
    http
      .get(url, (response) => {
        let text = ''
        response.setEncoding('utf8')
        response.on('data', (chunk: string) => (text += chunk))
        response.on('end', () => resolve(text))
        response.on('error', reject)
      })
      .on('error', reject)
  })
}
