/**
 * Doubles of React Native's native modules, for both virtual machines. `sentRequests` has each request that would reach the
 * network; the server answers with its method and its URL.
 */
;(function () {
  const NativePromise = Promise
  const sent = (globalThis.sentRequests = [])
  const blobs = {}
  globalThis.window = globalThis
  globalThis.RN$Bridgeless = true
  globalThis.HermesInternal ??= { hasPromise: () => true }
  globalThis.RN$registerCallableModule = () => {}
  const printed = (globalThis.printed = [])
  globalThis.nativeLoggingHook = (message) => void printed.push(message)

  function emit(name, args) {
    globalThis.__rctDeviceEventEmitter.emit(name, args)
  }

  function toBase64(text) {
    const bytes = unescape(encodeURIComponent(text))
    const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
    let result = ''
    for (let index = 0; index < bytes.length; index += 3) {
      const bits = [0, 1, 2].reduce((sum, at) => sum * 256 + (bytes.charCodeAt(index + at) || 0), 0)
      const digit = (shift) => digits[(bits >> shift) & 63]
      result += digit(18) + digit(12) + (index + 1 < bytes.length ? digit(6) : '=')
      result += index + 2 < bytes.length ? digit(0) : '='
    }
    return result
  }

  const read = ({ blobId, offset, size }) => blobs[blobId].slice(offset, offset + size)
  const noListeners = { addListener() {}, removeListeners() {} }
  const modules = {
    Networking: {
      ...noListeners,
      sendRequest(method, url, id, headers, data, responseType) {
        sent.push({ method, url, headers, data })
        setTimeout(() => {
          const text = JSON.stringify({ real: `${method} ${url}` })
          emit('didReceiveNetworkResponse', [id, 200, { 'Content-Type': 'application/json' }, url])
          blobs[id] = text
          const blob = { blobId: id, offset: 0, size: text.length, type: 'application/json' }
          const body = { blob, base64: toBase64(text), text }[responseType]
          emit('didReceiveNetworkData', [id, body])
          emit('didCompleteNetworkResponse', [id, null, false])
        }, 0)
      },
      abortRequest(id) {
        sent.push({ aborted: id })
      },
    },
    BlobModule: {
      getConstants: () => ({ BLOB_URI_SCHEME: 'content', BLOB_URI_HOST: 'host' }),
      addNetworkingHandler() {},
      release() {},
      createFromParts(parts, id) {
        blobs[id] = parts.map(({ type, data }) => (type === 'string' ? data : read(data))).join('')
      },
    },
    FileReaderModule: {
      readAsText: (blob) => NativePromise.resolve(read(blob)),
      readAsDataURL: (blob) => NativePromise.resolve(`data:;base64,${toBase64(read(blob))}`),
    },
    PlatformConstants: { getConstants: () => ({ reactNativeVersion: { major: 0, minor: 88, patch: 1 }, Version: 34 }) },
    ExceptionsManager: { reportException() {} },
    NativeMicrotasksCxx: { queueMicrotask: (act) => void NativePromise.resolve().then(act) },
    NativePerformanceCxx: { now: () => Date.now(), mark: () => 1, measure() {}, clearMarks() {}, clearMeasures() {} },
    NativeReactNativeFeatureFlagsCxx: new Proxy({}, { get: () => () => false }),
  }
  globalThis.nativeModuleProxy = {}
  globalThis.__turboModuleProxy = (name) => modules[name] ?? null
  globalThis.performance = { now: () => Date.now() }
})()
