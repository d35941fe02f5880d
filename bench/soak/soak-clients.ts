import http from 'node:http'

import axios from 'axios'
import got from 'got'
import superagent from 'superagent'
import { Agent, Pool, request } from 'undici'

/** A handler must answer this. */
export const soakUrl = 'http://api.test/user'
/** A handler must send one message for each connection to this. */
export const soakSocketUrl = 'ws://api.test/feed'

/**
 * Creates one mocked exchange for each client. No client closes its connections, because `server.close()` must be
 * enough.
 */
export function createSoakClients(): Record<string, () => Promise<unknown>> {
  const keeping = new http.Agent({ keepAlive: true })
  const dropping = new http.Agent({ keepAlive: false })
  const agent = new Agent()
  const pool = new Pool('http://api.test', { connections: 4 })
  return {
    fetch: async () => (await fetch(soakUrl)).text(),
    'http, connections are kept': () => get(keeping),
    'http, connections are not kept': () => get(dropping),
    'undici Agent': async () => (await request(soakUrl, { dispatcher: agent })).body.text(),
    'undici Pool': async () => (await pool.request({ path: '/user', method: 'GET' })).body.text(),
    got: () => got(soakUrl).text(),
    axios: () => axios.get(soakUrl),
    superagent: () => superagent.get(soakUrl),
    WebSocket: exchangeMessage,
  }
}

function get(agent: http.Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    http.get(soakUrl, { agent }, (message) => message.resume().on('end', resolve)).on('error', reject)
  })
}

function exchangeMessage(): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(soakSocketUrl)
    socket.addEventListener('message', () => socket.close())
    socket.addEventListener('close', () => resolve())
    socket.addEventListener('error', () => reject(new Error(`Failed to connect to ${soakSocketUrl}.`)))
  })
}

/** Counts connections and other handles that keep this process running. */
export function countHandles(): number {
  return process.getActiveResourcesInfo().filter((name) => /TCP|Pipe|TLS|GETADDR/.test(name)).length
}
