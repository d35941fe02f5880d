import { afterEach, vi } from 'vitest'

afterEach(() => {
  vi.restoreAllMocks()
})

export function request(url = 'https://example.com/events', init: RequestInit = {}): Request {
  return new Request(url, { headers: { Accept: 'text/event-stream' }, ...init })
}

/** Reads a stream to its end. */
export async function readAll(response: Response | undefined): Promise<string> {
  return (await response?.text()) ?? ''
}

/** Reads until a text arrives. */
export async function readUntil(reader: ReadableStreamDefaultReader<Uint8Array>, end: string): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  while (!text.includes(end)) {
    const { done, value } = await reader.read()
    if (done) break
    text += decoder.decode(value, { stream: true })
  }
  return text
}

export function readerOf(response: Response | undefined): ReadableStreamDefaultReader<Uint8Array> {
  if (!response?.body) throw new Error('There is no stream.')
  return response.body.getReader()
}
