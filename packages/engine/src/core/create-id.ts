/** Creates a unique name. `crypto.randomUUID` is missing on insecure origins. */
export function createId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
