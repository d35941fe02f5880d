import { bodies, describe, each, nameOf, wait, type Probe, type Seen } from './probe.ts'

async function seeElement(element: HTMLElement, see: () => Seen = () => ({})): Promise<Seen> {
  const event = await new Promise<string>((resolve) => {
    for (const type of ['load', 'error', 'loadedmetadata']) element.addEventListener(type, () => resolve(type))
    document.body.append(element)
  })
  const seen = { event, ...see() }
  element.remove()
  return seen
}

const make = <Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Partial<HTMLElementTagNameMap[Name]>,
): HTMLElementTagNameMap[Name] => Object.assign(document.createElement(name), properties)

/** Records the events of a stream, which the server ends permanently. */
async function seeEvents(url: string): Promise<Seen> {
  const source = new EventSource(url)
  const events: string[] = [`${source.readyState}`]
  const note = (event: Event): void => {
    const { data, lastEventId, origin } = event as MessageEvent<unknown>
    events.push(`${event.type} ${source.readyState} ${String(data)} ${lastEventId} ${origin}`)
  }
  for (const type of ['open', 'message', 'named', 'error']) source.addEventListener(type, note)
  const limit = performance.now() + 5000
  while (source.readyState !== EventSource.CLOSED && performance.now() < limit) await wait(20)
  const { readyState, url: shown, withCredentials } = source
  source.close()
  return { events, readyState, url: shown, withCredentials }
}

/** @param act called when the connection is open */
function seeSocket(url: string, protocols: string[], act: (socket: WebSocket) => void): Promise<Seen> {
  const events: string[] = []
  let socket: WebSocket
  try {
    socket = new WebSocket(url, protocols)
  } catch (error) {
    return Promise.resolve({ error: nameOf(error) })
  }
  socket.binaryType = 'arraybuffer'
  const seen: Seen = {
    url: socket.url,
    before: [socket.readyState, socket.protocol, socket.extensions, socket.bufferedAmount],
  }
  return new Promise((resolve) => {
    socket.addEventListener('open', () => {
      events.push(`open ${socket.readyState} ${socket.protocol}`)
      act(socket)
      seen['buffered'] = socket.bufferedAmount
    })
    socket.addEventListener('message', ({ data, origin, lastEventId }) =>
      events.push(`message ${String(describe(data))} ${origin} ${lastEventId}`),
    )
    socket.addEventListener('error', () => events.push(`error ${socket.readyState}`))
    socket.addEventListener('close', ({ code, reason, wasClean }) => {
      events.push(`close ${socket.readyState} ${code} ${reason} ${wasClean}`)
      resolve({ ...seen, events, readyState: socket.readyState, bufferedAmount: socket.bufferedAmount })
    })
  })
}

/** The probes of elements, modules, beacons, event streams and sockets. */
export const otherProbes: Readonly<Record<string, Probe>> = {
  ...each(
    Object.entries(bodies),
    ([name]) => `sendBeacon of ${name}`,
    ([, body]) =>
      async (at) => {
        const id = crypto.randomUUID()
        const sent = navigator.sendBeacon(at(`keep?id=${id}`), body())
        const limit = performance.now() + 5000
        let request = ''
        while (request === '' && performance.now() < limit) {
          await wait(20)
          request = await (await fetch(at(`kept?id=${id}`))).text()
        }
        // An id differs between the sides, so a beacon that never arrives is a difference.
        return { sent, request: request || `none with the id ${id}` }
      },
  ),
  img: (at) => {
    const image = make('img', { src: at('pixel') })
    return seeElement(image, () => ({
      width: image.naturalWidth,
      currentSrc: image.currentSrc,
      complete: image.complete,
    }))
  },
  'img: redirect': (at) => {
    const image = make('img', { src: at('redirect?code=302&to=./pixel') })
    return seeElement(image, () => ({ width: image.naturalWidth, currentSrc: image.currentSrc }))
  },
  'img: not an image': (at) => seeElement(make('img', { src: at('broken') })),
  'img: drawn on a canvas': async (at) => {
    const image = make('img', { src: at('pixel') })
    await image.decode()
    const canvas = make('canvas', {})
    canvas.getContext('2d')?.drawImage(image, 0, 0)
    return { readable: canvas.toDataURL().length > 0 }
  },
  script: (at) =>
    seeElement(make('script', { src: at('script') }), () => ({
      src: (globalThis as { loadedScript?: string }).loadedScript,
    })),
  'video: range requests': async (at) => {
    const video = make('video', { src: at('sound'), preload: 'auto', muted: true })
    const seen = await seeElement(video, () => ({ duration: video.duration, currentSrc: video.currentSrc }))
    if (seen['event'] !== 'loadedmetadata') return seen
    const sought = new Promise((resolve) => video.addEventListener('seeked', resolve, { once: true }))
    video.currentTime = 0.5
    await sought
    return { ...seen, currentTime: video.currentTime, seekable: video.seekable.end(0) }
  },
  'script: status 404 and a script': (at) => seeElement(make('script', { src: at('status?code=404') })),
  'script: integrity that does not fit': (at) =>
    seeElement(make('script', { src: at('script'), integrity: 'sha256-AAAA' })),
  'link: style sheet': (at) => {
    const link = make('link', { rel: 'stylesheet', href: at('style') })
    return seeElement(link, () => ({
      href: link.sheet?.href,
      rules: link.sheet?.cssRules.length,
      background: (link.sheet?.cssRules[0] as CSSStyleRule | undefined)?.style.backgroundImage,
    }))
  },
  'import()': async (at) => ({ url: ((await import(/* @vite-ignore */ at('module'))) as { url: string }).url }),
  'import(): redirect': async (at) => ({
    url: ((await import(/* @vite-ignore */ at('redirect?code=302&to=./module'))) as { url: string }).url,
  }),
  'import(): wrong type': (at) =>
    import(/* @vite-ignore */ at('nonscript')).then(
      () => ({}),
      (error: Error) => ({ error: error.name }),
    ),

  'EventSource: retry, named events, last event ID': (at) => seeEvents(at('events')),
  'EventSource: status 204': (at) => seeEvents(at('events?kind=empty')),
  'EventSource: status 500': (at) => seeEvents(at('events?kind=error')),
  'EventSource: wrong type': (at) => seeEvents(at('events?kind=type')),

  'WebSocket: messages, text and binary': (at) =>
    seeSocket(at('socket').replace('http', 'ws'), [], (socket) => {
      socket.send('text')
      socket.send(Uint8Array.of(1, 2))
      socket.send('close')
    }),
  'WebSocket: protocols': (at) =>
    seeSocket(at('socket').replace('http', 'ws'), ['one', 'two'], (socket) => socket.close(3000, 'the app')),
  'WebSocket: the server refuses it': (at) => seeSocket(at('refused').replace('http', 'ws'), [], () => {}),
  'WebSocket: the app closes without a code': (at) =>
    seeSocket(at('socket').replace('http', 'ws'), [], (socket) => socket.close()),
  'WebSocket: closed before it is open': (at) => {
    const socket = new WebSocket(at('socket').replace('http', 'ws'))
    const events: string[] = []
    return new Promise((resolve) => {
      for (const type of ['open', 'error'])
        socket.addEventListener(type, () => events.push(`${type} ${socket.readyState}`))
      socket.addEventListener('close', ({ code, wasClean }) =>
        resolve({ events: [...events, `close ${code} ${wasClean}`] }),
      )
      socket.close()
      events.push(`${socket.readyState}`)
    })
  },
}
