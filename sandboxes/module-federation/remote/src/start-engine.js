import { http, HttpResponse } from '@understudy/engine'
import { setupWorker } from '@understudy/engine/browser'

/** Starts the remote's own copy of the engine, in addition to that of the host. */
export async function startEngine() {
  const worker = setupWorker(http.get('/api/own', () => HttpResponse.json({ from: "the remote's own engine" })))
  await worker.start({ quiet: true, onUnhandledRequest: 'bypass' })
  return () => worker.stop()
}
