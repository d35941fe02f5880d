import { toPassedResponse } from '../in-page-response.ts'

/** Converts what the platform's object received from the network into a response for listeners. */
export function toHeardResponse(xhr: XMLHttpRequest): Response {
  const headers = new Headers()
  for (const line of xhr.getAllResponseHeaders().split('\r\n')) {
    const [name = '', ...value] = line.split(':')
    if (name !== '') headers.append(name, value.join(':').trim())
  }
  const { status, statusText } = xhr
  const isBodiless = status === 204 || status === 205 || status === 304
  const response = new Response(isBodiless ? null : readBody(xhr), { status, statusText, headers })
  return toPassedResponse(response, xhr.responseURL)
}

function readBody(xhr: XMLHttpRequest): BodyInit {
  if (xhr.responseType === 'json') return JSON.stringify(xhr.response)
  if (xhr.responseType !== 'document') return xhr.response as BodyInit
  return xhr.responseXML ? new XMLSerializer().serializeToString(xhr.responseXML) : ''
}
