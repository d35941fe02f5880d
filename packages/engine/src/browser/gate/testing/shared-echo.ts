/** A shared worker that sends each message back with its own name, and a message through each port in it. */
declare const self: { readonly name: string; onconnect: ((event: MessageEvent) => void) | null }

self.onconnect = ({ ports: [port] }) => {
  if (!port) return
  port.onmessage = ({ data, ports }: MessageEvent<unknown>) => {
    port.postMessage([self.name, data])
    ports[0]?.postMessage('through the port')
  }
}
