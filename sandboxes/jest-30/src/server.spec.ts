/** @jest-environment @understudy/engine/jest-node */
import { get } from 'node:http'

import { http, HttpResponse } from '@understudy/engine'
import axios from 'axios'

import { server } from './mocks/server'

const url = 'http://office.example/api/found'

test('fetch', async () => {
  expect(typeof document).toBe('undefined')
  expect(await (await fetch(url)).json()).toEqual([{ id: 1, what: 'One umbrella' }])
})

test('axios', async () => {
  expect((await axios.get(url)).data).toEqual([{ id: 1, what: 'One umbrella' }])
})

test('node:http', async () => {
  server.use(http.get(url, () => HttpResponse.text('by http')))
  const text = await new Promise((resolve, reject) => {
    get(url, (response) => {
      let read = ''
      response.setEncoding('utf8').on('data', (part: string) => (read += part))
      response.on('end', () => resolve(read))
    }).on('error', reject)
  })
  expect(text).toBe('by http')
})
