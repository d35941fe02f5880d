import { greeting } from './greeting'

declare const self: { onconnect: (event: MessageEvent) => void }

self.onconnect = ({ ports: [port] }) => {
  void greeting.then((text) => port?.postMessage(`${text} in a shared worker`))
}
