/** The first message of a WebSocket. It opens when the first module of a web worker runs. */
const socket = new WebSocket('wss://example.com/chat')

export const greeting = new Promise<string>((resolve) => {
  socket.addEventListener('message', ({ data }: MessageEvent<string>) => resolve(data))
  socket.addEventListener('error', () => resolve('no connection'))
})
