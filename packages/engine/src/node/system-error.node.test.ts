import { once } from 'node:events'
import { get } from 'node:http'
import { createServer, type AddressInfo } from 'node:net'
import { getSystemErrorName } from 'node:util'

import { expect, test } from 'vitest'

import { http, HttpResponse } from '../index.ts'
import { setupServer } from './setup-server.ts'

type SystemError = Error & Record<'code' | 'errno' | 'syscall' | 'hostname' | 'address' | 'port', unknown>

async function errorsOf(url: string): Promise<object[]> {
  const [byHttp] = (await once(get(url), 'error')) as [SystemError]
  const byFetch = (await fetch(url).catch(({ cause }: { cause: unknown }) => cause)) as SystemError
  return [byHttp, byFetch].map(({ code, errno, syscall, hostname, address, port }) => ({
    code,
    errno,
    syscall,
    hostname,
    address,
    port,
  }))
}

async function mockedErrorsOf(url: string, code: string): Promise<object[]> {
  const server = setupServer(http.get(url, () => HttpResponse.error({ code })))
  server.listen({ onUnhandledRequest: 'error' })
  try {
    return await errorsOf(url)
  } finally {
    server.close()
  }
}

test('an error of a refused connection has the errno, syscall, address and port of a real one', async () => {
  const closed = createServer().listen(0, '127.0.0.1')
  await once(closed, 'listening')
  const url = `http://127.0.0.1:${(closed.address() as AddressInfo).port}/`
  closed.close()
  await once(closed, 'close')
  const genuine = await errorsOf(url)
  expect(genuine[0]).toMatchObject({ code: 'ECONNREFUSED', syscall: 'connect', address: '127.0.0.1' })
  expect(await mockedErrorsOf(url, 'ECONNREFUSED')).toEqual(genuine)
})

test('an error of an unknown host has the errno, syscall and hostname of a real one', async () => {
  const url = 'http://unknown.invalid/'
  const [error] = await mockedErrorsOf(url, 'ENOTFOUND')
  expect(error).toEqual({ code: 'ENOTFOUND', errno: -3008, syscall: 'getaddrinfo', hostname: 'unknown.invalid' })
})

test.each(['ETIMEDOUT', 'EPIPE', 'EHOSTUNREACH', 'EAI_AGAIN'])(
  'the errno of %s is that of the platform',
  async (code) => {
    for (const error of await mockedErrorsOf('http://api.test/', code)) {
      expect(getSystemErrorName((error as SystemError).errno as number)).toBe(code)
    }
  },
)

test('an error of a reset connection has neither an address nor a port, like a real one', async () => {
  const [error] = await mockedErrorsOf('http://127.0.0.1:8080/', 'ECONNRESET')
  expect(error).toEqual({ code: 'ECONNRESET', errno: -104, syscall: 'read' })
})

test('an IPv6 address and the default port are those of the URL', async () => {
  const [error] = await mockedErrorsOf('http://[::1]/', 'ETIMEDOUT')
  expect(error).toMatchObject({ syscall: 'connect', address: '::1', port: 80 })
})

test('a code of a library has neither', async () => {
  const [error] = await mockedErrorsOf('http://api.test/', 'UND_ERR_SOCKET')
  expect(error).toEqual({ code: 'UND_ERR_SOCKET' })
})
