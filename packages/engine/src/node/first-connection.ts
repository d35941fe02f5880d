import http from 'node:http'
import net from 'node:net'

import { isUnwatched } from './watched-sockets.ts'

type Method = (this: object, ...args: unknown[]) => unknown

const waiting = new Set<() => void>()
let release: (() => void) | undefined

/**
 * Calls a function once: when a client of this process is about to make, or to reuse, a connection that is watched.
 * What the function then does about connections holds for that one already.
 *
 * @returns what ends the wait
 */
export function onFirstConnection(callback: () => void): () => void {
  waiting.add(callback)
  release ??= watch()
  return () => {
    waiting.delete(callback)
    if (waiting.size === 0) end()
  }
}

function watch(): () => void {
  const releases = [
    // Where every client's connection begins.
    intercept(net.Socket.prototype, 'connect', isUnwatched),
    // And where an agent takes one that it has: it may be from before, when nobody watched.
    intercept(http.Agent.prototype, 'addRequest'),
  ]
  return () => {
    for (const restore of releases) restore()
  }
}

function intercept(owner: object, name: string, isIgnored: (args: unknown[]) => boolean = () => false): () => void {
  const below = Reflect.get(owner, name) as Method | undefined
  if (typeof below !== 'function') return () => {}
  let isOn = true
  const method: Method = function (...args) {
    if (!isOn || isIgnored(args)) return Reflect.apply(below, this, args)
    const callbacks = [...waiting]
    waiting.clear()
    end()
    for (const callback of callbacks) callback()
    // By what was put there now.
    return Reflect.apply(Reflect.get(owner, name) as Method, this, args)
  }
  Reflect.set(owner, name, method)
  return () => {
    // Somebody else may have patched it meanwhile, on top of this: then it stays, and does nothing.
    isOn = false
    if (Reflect.get(owner, name) === method) Reflect.set(owner, name, below)
  }
}

function end(): void {
  release?.()
  release = undefined
}
