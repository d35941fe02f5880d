import assert from 'node:assert/strict'
import { test } from 'node:test'

import { RequestError } from 'got'
import { delay, http, HttpResponse } from 'msw'

import { server } from './mocks/server.ts'
import { addStation, listStations, readImage, readSecret, removeStation, StationError, upload } from './stations.ts'

test('lists stations page by page', async () => {
  assert.deepEqual(
    (await listStations()).map(({ name }) => name),
    ['Harbour', 'Airport'],
  )
  assert.deepEqual(await listStations(2), [])
})

test('adds a station, and removes another', async () => {
  assert.deepEqual(await addStation('Hill'), { id: 's3', name: 'Hill' })
  assert.equal(await removeStation('s1'), true)
  assert.equal(await removeStation('s1'), false)
  assert.deepEqual(
    (await listStations()).map(({ id }) => id),
    ['s2', 's3'],
  )
})

test('tests do not see stations of others', async () => {
  assert.equal((await listStations()).length, 2)
})

test('a station without a name is refused', async () => {
  await assert.rejects(addStation(''), (error: unknown) => {
    assert.ok(error instanceof StationError)
    assert.equal(error.message, 'A station needs a name.')
    return true
  })
})

test('follows the redirect to an image', async () => {
  const { bytes, url } = await readImage('s1')
  assert.equal(url, 'https://stations.example.com/images/s1.png')
  assert.deepEqual([...bytes], [137, 80, 78, 71])
})

test('uploads a file', async () => {
  assert.deepEqual(await upload('s1', 'day.csv', 'hour,celsius\n1,2\n'), {
    station: 's1',
    name: 'day.csv',
    text: 'hour,celsius\n1,2\n',
  })
})

test('sends the cookie of a session', async () => {
  assert.equal(await readSecret('abc'), 'opened by abc')
})

test('an override answers once, slowly', async () => {
  server.use(
    http.get(
      'https://stations.example.com/stations',
      async () => {
        await delay(30)
        return HttpResponse.json([{ id: 's9', name: 'Slow' }])
      },
      { once: true },
    ),
  )
  const [first, second] = [await listStations(), await listStations()]
  assert.deepEqual([first.length, second.length], [1, 2])
})

test('a network error is an error of got', async () => {
  server.use(http.get('https://stations.example.com/stations', () => HttpResponse.error()))
  await assert.rejects(listStations(), RequestError)
})

test('events name what was answered', async () => {
  const answers: string[] = []
  const ended = new Promise<void>((resolve) => server.events.on('request:end', () => resolve()))
  server.events.on('response:mocked', ({ request, response }) => {
    answers.push(`${request.method} ${new URL(request.url).pathname} ${response.status}`)
  })
  await removeStation('s2')
  await ended
  assert.deepEqual(answers, ['DELETE /stations/s2 204'])
})
