/** The content types that a beacon sends to another origin without a preflight. */
const plainTypes = /^(?:application\/x-www-form-urlencoded|multipart\/form-data|text\/plain)\b/

/**
 * Creates a `navigator.sendBeacon` that sends its requests with `fetch`.
 *
 * @see https://w3c.github.io/beacon/#sec-processing-model
 */
export function createSendBeacon(fetch: typeof globalThis.fetch): Navigator['sendBeacon'] {
  return function sendBeacon(url, data) {
    const target = new URL(url, document.baseURI)
    const needsCors = data instanceof Blob && data.type !== '' && !plainTypes.test(data.type)
    fetch(target, {
      method: 'POST',
      body: data ?? null,
      credentials: 'include',
      mode: needsCors ? 'cors' : 'no-cors',
      keepalive: true,
    }).catch(() => {
      // A beacon has no response, so ignore its failure.
    })
    return true
  }
}
