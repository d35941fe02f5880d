import { print } from '../../core/failure.ts'
import { couldAnswer } from '../../core/handlers/candidates.ts'
import type { Network } from '../../core/network/network.ts'

/**
 * Says on the console that a handler cannot answer the reports of a Content Security Policy: Firefox does not show their
 * requests to service workers. Chromium does.
 *
 * @returns a function that ends this
 * @see https://www.w3.org/TR/CSP3/#directive-report-uri
 */
export function watchPolicyReports(network: Network): () => void {
  const onViolation = ({ originalPolicy }: SecurityPolicyViolationEvent): void => {
    const [, addresses = ''] = /(?:^|;)\s*report-uri\s+([^;]+)/i.exec(originalPolicy) ?? []
    for (const address of addresses.split(/\s+/)) {
      const url = URL.parse(address, location.href)
      if (!address || !url || !couldAnswer(network, 'POST', url)) continue
      removeEventListener('securitypolicyviolation', onViolation)
      print.warn(
        'US0322',
        `Failed to answer POST ${url.href}: it is a report of the page's Content Security Policy, which Firefox does not ` +
          'show to service workers. It went to the network. Remove "report-uri" from the policy in development.',
      )
    }
  }
  addEventListener('securitypolicyviolation', onViolation)
  return () => removeEventListener('securitypolicyviolation', onViolation)
}
