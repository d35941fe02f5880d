interface TrustedTypePolicyFactory {
  createPolicy(
    name: string,
    rules: { createScriptURL(url: string): string },
  ): {
    createScriptURL(url: string): string
  }
}

let policy: ReturnType<TrustedTypePolicyFactory['createPolicy']> | undefined

/**
 * Returns the URL of the worker's script as a `TrustedScriptURL`, which `register()` requires on pages with
 * `require-trusted-types-for 'script'`. Returns the text if the page's `trusted-types` do not include "understudy",
 * because the page's default policy may accept it.
 *
 * @see https://www.w3.org/TR/trusted-types/
 */
export function toTrustedScriptUrl(url: string): string {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypePolicyFactory }
  try {
    policy ??= trustedTypes?.createPolicy('understudy', { createScriptURL: (each) => each })
  } catch {
    return url
  }
  return policy?.createScriptURL(url) ?? url
}
