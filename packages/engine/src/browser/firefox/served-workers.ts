import { scriptParameter } from '../../worker/protocol.ts'
import type { Natives, Replacements } from '../gate/gate.ts'
import { toTrustedScriptUrl } from '../service-worker/trusted-script-url.ts'

/** Firefox refuses longer URLs. */
const longestUrl = 1_000_000

/**
 * Creates classes for web workers that the service worker controls from the start. Firefox lets no service worker
 * control a shared worker with a `blob:` URL, or see the modules that a worker with such a URL imports before it runs.
 * These workers get a URL that the service worker answers with the text of the script.
 *
 * @param scope of the service worker
 * @param onCreate called with the URL of each web worker that the app creates, and with the text of a `blob:` script
 */
export function createServedWorkers(
  natives: Natives,
  scope: string,
  onCreate: (url: string, blob: string | undefined) => void,
): Pick<Replacements, 'Worker' | 'SharedWorker'> {
  const { Worker: Dedicated = Worker, SharedWorker: Shared = SharedWorker } = natives
  return {
    Worker: serveScripts(
      Dedicated,
      scope,
      onCreate,
      (script, options) => (Object(options) as WorkerOptions).type === 'module' && /\bimport\b/.test(script),
    ),
    SharedWorker: serveScripts(Shared, scope, onCreate, () => true),
  }
}

function serveScripts<Class extends typeof Worker | typeof SharedWorker>(
  native: Class,
  scope: string,
  onCreate: (url: string, blob: string | undefined) => void,
  isNeeded: (script: string, options: unknown) => boolean,
): Class {
  return new Proxy(native, {
    construct(target, [url, ...rest]: unknown[], newTarget) {
      const script = navigator.serviceWorker.controller ? readBlob(String(url)) : undefined
      // Vite's client creates a shared worker to detect that its server is back.
      if (script?.includes('vite-ping')) return Reflect.construct(target, [url, ...rest], newTarget) as object
      onCreate(String(url), script)
      const served = script !== undefined && isNeeded(script, rest[0]) && toServedUrl(script, String(url), scope)
      return Reflect.construct(target, [served ? toTrustedScriptUrl(served) : url, ...rest], newTarget) as object
    },
  })
}

/** Returns the text of a `blob:` URL. */
function readBlob(url: string): string | undefined {
  if (!url.startsWith('blob:')) return undefined
  try {
    // Code may revoke the URL right after it has created the worker.
    const request = new XMLHttpRequest()
    request.open('GET', url, false)
    request.send()
    return request.responseText
  } catch {
    // The URL was revoked, or a policy forbids the request. The platform reports it.
    return undefined
  }
}

/** @param blob distinguishes shared workers with the same script */
function toServedUrl(script: string, blob: string, scope: string): string | undefined {
  const url = new URL(`?blob=${encodeURIComponent(blob)}`, scope)
  url.searchParams.set(scriptParameter, script)
  if (crossOriginIsolated) url.hash = 'require-corp'
  return url.href.length > longestUrl ? undefined : url.href
}
