/**
 * Checks a mocked body by a request's `integrity`. The platform does it, by fetching a Blob: it reads the metadata as it
 * always does, where `crypto.subtle` is missing (insecure origins) too.
 *
 * @param response is read; give a copy
 * @param fetch the platform's
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
    // Where a page's policy forbids the Blob itself (`connect-src`), nothing was checked.
    const isAllowed = await fetch(url).then(
      () => true,
      () => false,
    )
    if (isAllowed) throw error
  } finally {
    URL.revokeObjectURL(url)
  }
}
