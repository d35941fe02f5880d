// @vitest-environment jsdom
import { checkClient } from './check-client.ts'
import { checkXmlHttpRequest } from './check-xml-http-request.ts'
import { toFetchClient } from './fetch-client.ts'
import { xmlHttpRequestClient } from './xml-http-request-client.ts'

// Node reads a form into the page's `File`, which is not its own.
const canReadForms = false

checkClient('XMLHttpRequest of jsdom', { ...xmlHttpRequestClient, canReadForms })
checkClient('XMLHttpRequest of jsdom to another origin', {
  ...xmlHttpRequestClient,
  canReadForms,
  origin: () => 'http://api.test',
  sendsCookies: false,
})
checkClient('fetch beside jsdom', {
  ...toFetchClient((url, init) => fetch(url, init)),
  // Vitest turns the page's form into one of Node, and loses the file.
  canSendFiles: false,
  origin: () => location.origin,
})

checkXmlHttpRequest('jsdom')
