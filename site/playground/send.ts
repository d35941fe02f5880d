import type { FromFrame, PlaygroundRequest } from './messages.ts'

/** A request that was sent, with functions to continue it. */
export interface Sent {
  readonly close: () => void
  /** Sends a message. Defined for a WebSocket. */
  readonly say?: (text: string) => void
}

type Tell = (message: FromFrame) => void

/** Makes a request with the API of its kind, and reports each part of the answer when it arrives. */
export function send(id: number, request: PlaygroundRequest, tell: Tell): Sent {
  const line = (tone: 'status' | 'body' | 'error', text: string): void => tell({ type: 'line', id, tone, text })
  const end = (): void => tell({ type: 'end', id })
  try {
    switch (request.kind) {
      case 'fetch':
      case 'graphql':
        return sendByFetch(request, line, end)
      case 'xhr':
        return sendByXHR(request, line, end)
      case 'event-source':
        return openEventSource(request, line, end)
      case 'websocket':
        return openWebSocket(id, request, line, end, tell)
    }
  } catch (error) {
    line('error', String(error))
    end()
    return { close: () => {} }
  }
}

type Line = (tone: 'status' | 'body' | 'error', text: string) => void

function sendByFetch({ kind, method, url, body }: PlaygroundRequest, line: Line, end: () => void): Sent {
  const controller = new AbortController()
  const { signal } = controller
  const isBodiless = method === 'GET' || method === 'HEAD' || body === ''
  const init: RequestInit =
    kind === 'graphql'
      ? {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify({ query: body }),
          signal,
        }
      : { method, ...(!isBodiless && { body, headers: { 'Content-Type': typeOf(body) } }), signal }
  const run = async (): Promise<void> => {
    const response = await fetch(url, init)
    line('status', describeHead(response.status, response.statusText, [...response.headers]))
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
    for (;;) {
      const part = await reader?.read()
      if (!part || part.done) return
      line('body', part.value)
    }
  }
  void run()
    .catch((error: unknown) => line('error', String(error)))
    .finally(end)
  return { close: () => controller.abort() }
}

function sendByXHR({ method, url, body }: PlaygroundRequest, line: Line, end: () => void): Sent {
  const xhr = new XMLHttpRequest()
  xhr.open(method, url)
  if (body !== '') xhr.setRequestHeader('Content-Type', typeOf(body))
  xhr.addEventListener('load', () => {
    const headers = xhr
      .getAllResponseHeaders()
      .trim()
      .split(/[\r\n]+/)
      .map((header) => header.split(': ') as [string, string])
    line('status', describeHead(xhr.status, xhr.statusText, headers))
    if (xhr.responseText !== '') line('body', xhr.responseText)
  })
  for (const type of ['error', 'abort', 'timeout']) xhr.addEventListener(type, () => line('error', `Event: ${type}`))
  xhr.addEventListener('loadend', end)
  xhr.send(body === '' ? null : body)
  return { close: () => xhr.abort() }
}

function openEventSource({ url }: PlaygroundRequest, line: Line, end: () => void): Sent {
  const source = new EventSource(url)
  source.addEventListener('open', () => line('status', 'The stream is open.'))
  source.addEventListener('message', ({ data, lastEventId }: MessageEvent<string>) =>
    line('body', `${lastEventId === '' ? '' : `#${lastEventId} `}${data}\n`),
  )
  source.addEventListener('error', () => {
    if (source.readyState === source.CLOSED) {
      line('error', 'The stream failed.')
      end()
    } else line('status', 'The stream ended. The client connects again.')
  })
  return {
    close() {
      source.close()
      line('status', 'The client closed the stream.')
      end()
    },
  }
}

function openWebSocket(id: number, { url, body }: PlaygroundRequest, line: Line, end: () => void, tell: Tell): Sent {
  const socket = new WebSocket(url)
  const say = (text: string): void => {
    line('status', `Sent: ${text}`)
    socket.send(text)
  }
  socket.addEventListener('open', () => {
    line('status', 'The connection is open.')
    tell({ type: 'open', id })
    if (body !== '') say(body)
  })
  socket.addEventListener('message', ({ data }: MessageEvent<unknown>) =>
    line('body', `${typeof data === 'string' ? data : Object.prototype.toString.call(data)}\n`),
  )
  socket.addEventListener('error', () => line('error', 'The connection failed.'))
  socket.addEventListener('close', ({ code, reason }) => {
    line('status', `Closed with ${code}${reason === '' ? '' : `: ${reason}`}`)
    end()
  })
  return { close: () => socket.close(), say }
}

function describeHead(status: number, statusText: string, headers: readonly (readonly [string, string])[]): string {
  const lines = headers.filter(([name]) => name !== '').map(([name, value]) => `${name}: ${value}`)
  return [`${status} ${statusText}`.trim(), ...lines].join('\n')
}

function typeOf(body: string): string {
  return /^\s*[[{]/.test(body) ? 'application/json' : 'text/plain'
}
