import { printWarning } from '../../core/failure.ts'

/** Warns that a synchronous request, which a handler could answer, is not mocked. */
export function warnOfSynchronousRequest(method: string, url: string | undefined): void {
  printWarning(
    'US0306',
    `Failed to mock ${method} ${url}: a synchronous XMLHttpRequest cannot wait and goes to the network. ` +
      'Make it asynchronous, or use fetch().',
  )
}
