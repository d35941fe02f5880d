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
 * The URL of the worker's script, as pages with `require-trusted-types-for 'script'` must give it to `register()`.
 *
 * Where the page's `trusted-types` do not name "understudy", it stays text: a policy of the page's own may take that.
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
