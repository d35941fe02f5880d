// @vitest-environment jsdom
import { checkClient } from './check-client.ts'
import { checkXmlHttpRequest } from './check-xml-http-request.ts'
import { toFetchClient } from './fetch-client.ts'
import { xmlHttpRequestClient } from './xml-http-request-client.ts'

checkClient('XMLHttpRequest of jsdom', xmlHttpRequestClient)
checkClient('XMLHttpRequest of jsdom to another origin', {
  ...xmlHttpRequestClient,
  origin: () => 'http://api.test',
  sendsCookies: false,
})
checkClient('fetch beside jsdom', {
  ...toFetchClient((url, init) => fetch(url, init)),
  origin: () => location.origin,
})

checkXmlHttpRequest('jsdom')
