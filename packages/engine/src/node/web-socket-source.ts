import type { Network } from '../core/network/network.ts'
import { createWebSocketClass } from '../ws/web-socket-class.ts'

/** Brings in the connections of this process's global `WebSocket`: Node's own, or that of jsdom. */
export class WebSocketSource {
  readonly #network: Network
  #stop: (() => void) | undefined

  constructor(network: Network) {
    this.#network = network
  }

  start(): void {
    // Jest has getters in the place of Node's globals, until they are read.
    void Reflect.get(globalThis, 'WebSocket')
    const native = Object.getOwnPropertyDescriptor(globalThis, 'WebSocket')
    if (this.#stop || !native) return
    let isOn = true
    // What was taken from the globals meanwhile stays in use, and becomes the platform's again.
    const value = createWebSocketClass(globalThis.WebSocket, this.#network, () => !isOn)
    Object.defineProperty(globalThis, 'WebSocket', { value, configurable: true, writable: true, enumerable: false })
    this.#stop = () => {
      isOn = false
      if (globalThis.WebSocket === value) Object.defineProperty(globalThis, 'WebSocket', native)
    }
  }

  stop(): void {
    this.#stop?.()
    this.#stop = undefined
    this.#network.endConnections()
  }
}
