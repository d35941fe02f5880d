import { describe, expect, it } from 'vitest'

import { isBypassed, removeBypassMark } from './bypass-marks.ts'
import { bypass } from './bypass.ts'

const url = 'https://app.test/user'

describe('bypass', () => {
  it.each<[name: string, input: string | URL | Request]>([
    ['a string', url],
    ['a URL', new URL(url)],
    ['a request', new Request(url)],
  ])('marks %s', (_name, input) => {
    const request = bypass(input)
    expect(request.url).toBe(url)
    expect(isBypassed(request.headers)).toBe(true)
  })

  it('accepts the same arguments as fetch', async () => {
    const request = bypass(url, { method: 'POST', headers: { 'X-A': 'b' }, body: 'text' })
    expect([request.method, request.headers.get('X-A'), await request.text()]).toEqual(['POST', 'b', 'text'])
  })

  it('leaves a request that it is given unread and unmarked', async () => {
    const request = new Request(url, { method: 'POST', body: 'text' })
    expect(await bypass(request).text()).toBe('text')
    expect(await request.text()).toBe('text')
    expect(isBypassed(request.headers)).toBe(false)
  })

  it('keeps what the request accepts', () => {
    const { headers } = bypass(url, { headers: { Accept: 'text/html, application/json;q=0.5' } })
    removeBypassMark(headers)
    expect(headers.get('Accept')).toBe('text/html, application/json;q=0.5')
  })

  it('has the mark that tools for MSW read, and removes it again', () => {
    const { headers } = bypass(url, { headers: { Accept: 'text/html' } })
    expect(headers.get('Accept')).toContain('msw/passthrough')
    removeBypassMark(headers)
    expect(headers.get('Accept')).toBe('text/html')
  })

  it('drops the Content-Length of a previous body', () => {
    const headers = { 'Content-Length': '100' }
    expect(bypass(new Request(url, { method: 'POST', body: 'text', headers })).headers.has('Content-Length')).toBe(
      false,
    )
  })

  it('also marks a request of mode no-cors', () => {
    expect(isBypassed(bypass(url, { mode: 'no-cors' }).headers)).toBe(true)
  })

  it('refuses a request whose body was read', async () => {
    const request = new Request(url, { method: 'POST', body: 'text' })
    await request.text()
    expect(() => bypass(request)).toThrow(
      `Failed to bypass the request POST ${url}: its body was already read. Read a copy of it: await request.clone().json().`,
    )
  })
})

describe('removeBypassMark', () => {
  it('removes the header if it had no other value', () => {
    const { headers } = bypass(url)
    removeBypassMark(headers)
    expect(headers.has('Accept')).toBe(false)
    expect(isBypassed(headers)).toBe(false)
  })

  it.each([undefined, '*/*'])('leaves unmarked headers as they are: %s', (accept) => {
    const headers = new Headers(accept === undefined ? {} : { Accept: accept })
    removeBypassMark(headers)
    expect(headers.get('Accept')).toBe(accept ?? null)
  })
})
