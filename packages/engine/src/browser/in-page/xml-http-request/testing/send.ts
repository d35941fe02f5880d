/**
 * Records the events of a request with its state at each. Consecutive events with the state 3 count once, because the
 * number of chunks varies.
 */
export function record(xhr: XMLHttpRequest): string[] {
  const log: string[] = []
  for (const type of ['loadstart', 'load', 'error', 'abort', 'timeout', 'loadend']) {
    xhr.addEventListener(type, () => log.push(type))
  }
  xhr.addEventListener('readystatechange', () => {
    if (xhr.readyState !== 3 || log.at(-1) !== 'state 3') log.push(`state ${xhr.readyState}`)
  })
  return log
}

export function ended(xhr: XMLHttpRequest): Promise<void> {
  return new Promise((resolve) => {
    xhr.addEventListener('loadend', () => resolve())
  })
}

interface Sent {
  method?: string
  path?: string
  body?: XMLHttpRequestBodyInit | Document | null
  /** Called between `open()` and `send()`. */
  prepare?: (xhr: XMLHttpRequest) => void
}

/** Sends a request, and waits for its end. */
export async function send({ method = 'GET', path = '/x', body = null, prepare }: Sent = {}): Promise<XMLHttpRequest> {
  const xhr = new XMLHttpRequest()
  xhr.open(method, path)
  prepare?.(xhr)
  const end = ended(xhr)
  xhr.send(body)
  await end
  return xhr
}
