// @vitest-environment happy-dom
import { checkClient } from './check-client.ts'
import { checkXmlHttpRequest } from './check-xml-http-request.ts'
import { toFetchClient } from './fetch-client.ts'
import { xmlHttpRequestClient } from './xml-http-request-client.ts'

// Its cache throws for a 304 that it did not request.
const limits = { statuses: [204, 401, 404, 500], hidesSetCookie: true }
const fetchClient = {
  ...toFetchClient((url, init) => fetch(url, init)),
  ...limits,
  // It continues to read after the stream was cancelled.
  leavesStreams: false,
}
const elsewhere = { origin: () => 'http://api.test', sendsCookies: false }

checkClient('XMLHttpRequest of happy-dom', { ...xmlHttpRequestClient, ...limits })
checkClient('XMLHttpRequest of happy-dom to another origin', { ...xmlHttpRequestClient, ...limits, ...elsewhere })
checkClient('fetch of happy-dom', { ...fetchClient, origin: () => location.origin })
checkClient('fetch of happy-dom to another origin', { ...fetchClient, ...elsewhere })

checkXmlHttpRequest('happy-dom', { states: [1, 3, 2, 4], readsDocuments: false, timesOut: false })
