import http from 'node:http'
import type net from 'node:net'

type AddRequest = (this: http.Agent, ...args: unknown[]) => unknown

const watched = new Set<net.Socket>()
let restore: (() => void) | undefined

/** Remembers a socket that is watched, as long as it is open. */
export function rememberWatched(socket: net.Socket): void {
  if (watched.has(socket)) return
  watched.add(socket)
  socket.once('close', () => {
    watched.delete(socket)
    if (watched.size === 0) reuseWatched()
  })
}

let watchers = 0

/**
 * Tells that sockets are watched from now on.
 *
 * @returns what ends that. After the last, agents do not use a socket again that was watched: what watches it goes on
 * reading what it carries, and writes it anew by what it then takes for the headers.
 */
export function beginWatching(): () => void {
  watchers += 1
  reuseWatched()
  return () => {
    watchers -= 1
    if (watchers === 0 && watched.size > 0) retireWatched()
  }
}

function retireWatched(): void {
  const { prototype } = http.Agent
  const below = Reflect.get(prototype, 'addRequest') as AddRequest | undefined
  if (typeof below !== 'function') return
  let isOn = true
  const addRequest: AddRequest = function (...args) {
    for (const sockets of Object.values(isOn ? this.freeSockets : {})) {
      for (const socket of sockets ?? []) if (watched.has(socket)) socket.destroy()
    }
    return Reflect.apply(below, this, args)
  }
  Reflect.set(prototype, 'addRequest', addRequest)
  restore = () => {
    // Somebody else may have patched it meanwhile, on top of this: then it stays, and does nothing.
    isOn = false
    if (Reflect.get(prototype, 'addRequest') === addRequest) Reflect.set(prototype, 'addRequest', below)
  }
}

/** Also when there are none any more. */
function reuseWatched(): void {
  restore?.()
  restore = undefined
}
