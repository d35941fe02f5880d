import type { RequestData } from '../../worker/protocol.ts'

/** Creates a request as the worker sends it to the page. */
export function createRequestData(changed: Partial<RequestData> & Pick<RequestData, 'url'>): RequestData {
  return {
    method: 'GET',
    headers: [],
    mode: 'cors',
    credentials: 'omit',
    cache: 'default',
    redirect: 'follow',
    referrer: 'about:client',
    referrerPolicy: '',
    integrity: '',
    keepalive: false,
    destination: '',
    body: null,
    ...changed,
  }
}
