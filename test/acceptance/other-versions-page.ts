/** The code of the pages that stay open while the packages are updated. */

/** The handlers of the project. `finish()` ends the response to `/api/slow`. */
export const handlers = `import { http, HttpResponse } from '@understudy/engine'
const pixels = '<svg xmlns="http://www.w3.org/2000/svg" width="7" height="7"></svg>'
export const handlers = [
  http.get('/api/handlers', () => HttpResponse.json({ text: 'mocked' })),
  http.get('/api/image', () => new HttpResponse(pixels, { headers: { 'Content-Type': 'image/svg+xml' } })),
  http.get('/api/slow', async () => {
    await new Promise((resolve) => (globalThis.finish = resolve))
    return HttpResponse.json({ text: 'mocked' })
  }),
]
`

/**
 * Makes requests one after the other until `hasEnded`, and returns the different answers.
 *
 * @param pause the milliseconds between two requests. Without a pause, they take the processor from the servers that start
 */
export const loop = (pause: number): string => `void (globalThis.loop = (async () => {
  const seen = new Set()
  while (!globalThis.hasEnded) {
    seen.add(await ask('/api/handlers').catch(String))
    if (${pause}) await new Promise((resolve) => setTimeout(resolve, ${pause}))
  }
  return [...seen]
})())`

/** The same with XMLHttpRequest, with an image that a script creates, and with one in the markup. */
export const loops = `${loop(0)}, void (globalThis.otherLoops = Promise.all([
  async () => {
    const request = new XMLHttpRequest()
    request.open('GET', '/api/handlers')
    await new Promise((resolve) => { request.onloadend = resolve; request.send() })
    return JSON.parse(request.responseText).text
  },
  async () => {
    const image = new Image()
    image.src = '/api/image?' + Math.random()
    await image.decode().catch(() => {})
    return 'mocked'
  },
  async () => {
    document.body.innerHTML = '<img src="/api/image?' + Math.random() + '" />'
    await document.querySelector('img').decode().catch(() => {})
    return 'mocked'
  },
].map(async (ask) => {
  const seen = new Set()
  while (!globalThis.hasEnded) seen.add(await ask().catch(String))
  return [...seen]
})))`

/** Loads an image that a script creates, and returns its width. */
export const loadImage = `(async () => {
  const image = new Image()
  image.src = '/api/image'
  await image.decode().catch(() => {})
  return image.naturalWidth
})()`

/** Loads an image that no script can hold. */
export const loadImageOfMarkup = `(async () => {
  document.body.innerHTML = '<img src="/api/image" />'
  const image = document.querySelector('img')
  await image.decode().catch(() => {})
  return image.naturalWidth
})()`

/** A web worker that requests what the page tells it. */
export const workerScript = `onmessage = ({ data }) =>
  fetch(data).then((response) => response.json()).then(({ text }) => postMessage(text), (error) => postMessage(String(error)))`

/** The same as a shared worker. */
export const sharedWorkerScript = `onconnect = ({ ports: [port] }) => {
  port.onmessage = ({ data }) =>
    fetch(data).then((response) => response.json()).then(({ text }) => port.postMessage(text), (error) => port.postMessage(String(error)))
}`

/** Makes a request in a shared worker. The page that creates it answers its requests while that is open. */
export const askInSharedWorker = `new Promise((resolve) => {
  const { port } = new SharedWorker('/shared-worker.js')
  port.onmessage = ({ data }) => resolve(data)
  port.postMessage('/api/handlers')
})`

/** Asks the worker that waits to replace the active one, as each page does that starts. */
export const askToReplace = `navigator.serviceWorker.getRegistration().then(
  ({ waiting }) => void waiting?.postMessage({ type: 'understudy:replace' }),
)`

/** Makes a request in a web worker of the page. */
export const askInWorker = `new Promise((resolve) => {
  globalThis.ofPage ??= new Worker('/web-worker.js')
  ofPage.addEventListener('message', ({ data }) => resolve(data), { once: true })
  ofPage.postMessage('/api/handlers')
})`

/** The query of requests of {@link loopInWorker}. */
export const ofWebWorker = '?of-web-worker'

/** Lets a web worker of the page make requests one after the other. */
export const loopInWorker = `void (async () => {
  globalThis.ofLoop = new Worker('/web-worker.js')
  ofLoop.onmessage = () => ofLoop.postMessage('/api/handlers${ofWebWorker}')
  ofLoop.onmessage()
})()`
