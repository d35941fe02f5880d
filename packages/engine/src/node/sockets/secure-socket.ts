import net from 'node:net'
import type tls from 'node:tls'

import { selectProtocol, type ConnectOptions } from './connect-options.ts'

/** The members of a TLS socket that Node does not document. */
interface InternalTlsSocket extends tls.TLSSocket {
  _handle: { close(callback?: () => void): void } | null
  _secureEstablished: boolean
  _securePending: boolean
  secureConnecting: boolean
  ssl: unknown
}

export function isTlsSocket(socket: net.Socket): socket is tls.TLSSocket {
  return 'encrypted' in socket && socket.encrypted === true
}

/**
 * Prepares a TLS socket of a client for a connection without TLS. Methods that would use the TLS library return the
 * values of a connection with a trusted certificate.
 *
 * @param options the options of `tls.connect`
 */
export function prepareSecureSocket(socket: tls.TLSSocket, options: tls.ConnectionOptions): void {
  const certificate = createCertificate(options.servername || options.host || 'localhost')
  const answers = {
    getPeerCertificate: () => certificate,
    getPeerX509Certificate: () => undefined,
    getProtocol: () => 'TLSv1.3',
    getCipher: () => ({ name: 'TLS_AES_256_GCM_SHA384', standardName: 'TLS_AES_256_GCM_SHA384', version: 'TLSv1.3' }),
    getSession: () => undefined,
    isSessionReused: () => false,
    setSession: () => {},
    setServername: (name: string) => {
      Reflect.set(socket, 'servername', name)
    },
    setMaxSendFragment: () => true,
    setKeyCert: () => {},
    disableRenegotiation: () => {},
    enableTrace: () => {},
    _start: () => {},
  }
  for (const [name, value] of Object.entries(answers)) {
    Object.defineProperty(socket, name, { value, configurable: true, writable: true })
  }
}

/** Emits the events of a successful handshake on a TLS socket. */
export function announceSecure(socket: tls.TLSSocket, options: ConnectOptions): void {
  const internal = socket as InternalTlsSocket
  ignoreHandshake(socket)
  internal.secureConnecting = false
  internal._secureEstablished = true
  internal._securePending = false
  internal.authorized = true
  socket.alpnProtocol = selectProtocol(options)
  socket.emit('secureConnect')
}

/** Prevents that Node reports the end of a connection as a failed handshake. */
export function ignoreHandshake(socket: net.Socket): void {
  for (const listener of socket.listeners('end')) {
    if (listener.name === 'onConnectEnd') socket.off('end', listener as () => void)
  }
}

function createCertificate(host: string): tls.PeerCertificate {
  const name = { C: '', ST: '', L: '', O: 'Understudy', OU: '', CN: host }
  const day = 24 * 60 * 60 * 1000
  const print = Array.from({ length: 20 }, () => '00').join(':')
  return {
    ca: false,
    raw: Buffer.alloc(0),
    subject: name,
    issuer: name,
    subjectaltname: net.isIP(host) ? `IP Address:${host}` : `DNS:${host}`,
    valid_from: new Date(Date.now() - day).toUTCString(),
    valid_to: new Date(Date.now() + 365 * day).toUTCString(),
    serialNumber: '01',
    fingerprint: print,
    fingerprint256: print,
    fingerprint512: print,
  }
}
