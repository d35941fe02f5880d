import { print } from '../../core/failure.ts'

/**
 * Says once on the console that requests from web workers may have reached the network while the service worker was replaced. Firefox
 * then shows them to no worker, and a page can neither hold nor see them.
 *
 * @param hasWorkers whether the page has created a web worker
 * @returns a function that ends this
 */
export function warnOfReplacement(hasWorkers: () => boolean): () => void {
  const container = navigator.serviceWorker
  const onChange = (): void => {
    if (!hasWorkers()) return
    container.removeEventListener('controllerchange', onChange)
    print.warn(
      'US0326',
      'Failed to hold requests from web workers while the service worker was replaced: for a few milliseconds, Firefox shows requests to no ' +
        'service worker, so some may have gone to the network. Reload the page if its web workers have data from a real server.',
    )
  }
  container.addEventListener('controllerchange', onChange)
  return () => container.removeEventListener('controllerchange', onChange)
}
