/** Makes a request of each kind, without a timer. Returns what answered. */
export async function ask() {
  const message = (target) =>
    new Promise((resolve) => {
      target.addEventListener('message', ({ data }) => {
        target.close()
        resolve(data)
      })
      target.addEventListener('error', () => resolve('error'))
    })
  const xhr = new Promise((resolve) => {
    const request = new XMLHttpRequest()
    request.open('POST', '/api/user')
    request.responseType = 'json'
    request.addEventListener('loadend', () => resolve(request.response?.from ?? 'error'))
    request.send('text')
  })
  const from = async (response) => (await (await response).json()).from
  return {
    fetch: await from(fetch('/api/user')),
    request: await from(fetch(new Request('/api/user', { method: 'POST', body: 'text' }))),
    xhr: await xhr,
    events: await message(new EventSource('/api/events')),
    socket: await message(new WebSocket(`ws://${location.host}/api/socket`)),
    beacon: navigator.sendBeacon('/api/user', 'text'),
  }
}
