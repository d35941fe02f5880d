/**
 * Checks a mocked body against a request's `integrity`. It fetches a Blob with the platform's `fetch`, which checks the
 * hashes also on insecure origins, where `crypto.subtle` is missing.
 *
 * @param response its body is read, so pass a copy
 * @param fetch the platform's `fetch`
 * @throws what `fetch` throws
 * @see https://www.w3.org/TR/sri/#does-response-match-metadatalist
 */
export async function checkIntegrity(
  response: Response,
  integrity: string,
  fetch: typeof globalThis.fetch,
): Promise<void> {
  const url = URL.createObjectURL(await response.blob())
  try {
    await fetch(url, { integrity })
  } catch (error) {
    // If the page's policy (`connect-src`) forbids the Blob itself, the integrity stays unchecked.
    const isAllowed = await fetch(url).then(
      () => true,
      () => false,
    )
    if (isAllowed) throw error
  } finally {
    URL.revokeObjectURL(url)
  }
}
