/** Tests generated handlers in Node. They import from "msw". */
import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'

import { HttpResponse } from 'msw'
import { setupServer } from 'msw/node'

const folder = new URL('../.tmp/generated/', import.meta.url)
const load = (file) => import(new URL(file, folder).href)

const api = 'https://api.example.com'
const server = setupServer()

before(() => server.listen({ onUnhandledRequest: 'error' }))
afterEach(() => server.resetHandlers())
after(() => server.close())

const create = (user) => fetch(`${api}/users`, { method: 'POST', body: JSON.stringify(user) })

test('orval', async () => {
  const { getCreateUserMockHandler, getGetUserMockHandler, getUsersMock } = await load('orval/users.ts')
  server.use(...getUsersMock())
  const user = await (await fetch(`${api}/users/5`)).json()
  assert.deepEqual(Object.keys(user).toSorted(), ['id', 'name'])
  server.use(
    getGetUserMockHandler({ id: '5', name: 'Ada' }, { once: true }),
    getCreateUserMockHandler(async ({ request }) => ({ ...(await request.json()), id: '6' })),
  )
  assert.deepEqual(await (await fetch(`${api}/users/5`)).json(), { id: '5', name: 'Ada' })
  assert.notEqual((await (await fetch(`${api}/users/5`)).json()).name, 'Ada')
  const created = await create({ name: 'Bob' })
  assert.deepEqual([created.status, await created.json()], [201, { id: '6', name: 'Bob' }])
})

test('kubb', async () => {
  const { createUserHandler, getUserHandler, handlers } = await load('kubb/index.ts')
  server.use(...Object.values(handlers))
  assert.deepEqual(Object.keys(await (await fetch(`${api}/users/5`)).json()).toSorted(), ['id', 'name'])
  assert.equal((await create({ name: 'Bob' })).status, 201)
  server.use(
    getUserHandler({ id: '5', name: 'Ada' }),
    createUserHandler(async ({ request }) => HttpResponse.json(await request.json(), { status: 202 })),
  )
  assert.deepEqual(await (await fetch(`${api}/users/5`)).json(), { id: '5', name: 'Ada' })
  const created = await create({ name: 'Bob' })
  assert.deepEqual([created.status, await created.json()], [202, { name: 'Bob' }])
})

test('@graphql-codegen/typescript-msw', async () => {
  const { mockGetUserQuery, mockRenameMutation } = await load('codegen.ts')
  server.use(
    mockGetUserQuery(({ variables }) => HttpResponse.json({ data: { user: { id: variables.id, name: 'Ada' } } })),
    mockRenameMutation(({ variables }) => HttpResponse.json({ data: { rename: { name: variables.name } } })),
  )
  const ask = async (query, variables) => {
    const body = JSON.stringify({ query, variables })
    return (
      await fetch(`${api}/graphql`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body })
    ).json()
  }
  assert.deepEqual(await ask('query GetUser($id: ID!) { user(id: $id) { id name } }', { id: '5' }), {
    data: { user: { id: '5', name: 'Ada' } },
  })
  assert.deepEqual(
    await ask('mutation Rename($id: ID!, $name: String!) { rename(id: $id, name: $name) { name } }', { name: 'Bob' }),
    { data: { rename: { name: 'Bob' } } },
  )
})
