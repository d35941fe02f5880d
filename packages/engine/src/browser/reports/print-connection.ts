import { formatCallSite } from '../../core/call-site.ts'
import { print } from '../../core/failure.ts'
import type { TakenConnection } from '../../core/network/network.ts'

/** Prints one line for each message of a mocked WebSocket, because the developer tools do not show these messages. */
export function printConnection({ url, handlers, socket, onSent }: TakenConnection): void {
  const shown = (url.host === location.host ? '' : `${url.protocol}//${url.host}`) + url.pathname
  const line = (mark: string, text: string, ...details: readonly unknown[]): void =>
    print.group([`WS ${shown} %c${mark}%c ${text}`, 'color: #2e9e5b', ''], [details])

  socket.addEventListener('open', () => {
    const names = handlers.map(({ info }) => info.header + (info.callSite ? ` ${formatCallSite(info.callSite)}` : ''))
    line('▶', 'open', 'Handlers', ...names)
  })
  onSent((data) => line('⬆', summarize(data), data))
  socket.addEventListener('message', ({ data }: MessageEvent<unknown>) => line('⬇', summarize(data), data))
  socket.addEventListener('close', ({ code, reason }) => line('■', `${code} ${reason}`.trim()))
}

function summarize(data: unknown): string {
  if (data instanceof Blob) return `Blob, ${data.size} bytes`
  if (data instanceof ArrayBuffer || ArrayBuffer.isView(data)) return `${data.byteLength} bytes`
  const text = typeof data === 'string' ? data : JSON.stringify(data)
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}
