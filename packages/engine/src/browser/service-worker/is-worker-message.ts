import { isMessage, type WorkerMessage } from '../../worker/protocol.ts'

type Fields = Readonly<Record<string, unknown>>

/** Returns whether a value has the shape of a message of the service worker. */
export function isWorkerMessage(value: unknown): value is WorkerMessage {
  if (!isMessage(value)) return false
  const { id, clientId, version, request, response } = value as unknown as Fields
  switch (value.type) {
    case 'connected':
      return typeof version === 'string' && typeof clientId === 'string'
    case 'refused':
      return typeof version === 'string'
    case 'owns':
      return typeof clientId === 'string'
    case 'notice':
      return isRequest(request)
    case 'request':
      return typeof id === 'number' && isRequest(request)
    case 'response':
      return typeof id === 'number' && typeof response === 'object' && response !== null
    default:
      return typeof id === 'number' && (value.type === 'hear' || value.type === 'abort')
  }
}

/** A body that is not bytes would be sent to the network as text ("[object Object]"). */
function isRequest(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const { url, method, body } = value as Fields
  return typeof url === 'string' && typeof method === 'string' && (body === null || body instanceof ArrayBuffer)
}
