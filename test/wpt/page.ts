/** The script at the start of every test page: the gate, and handlers that pass every request through. */
import { installGate } from '../../packages/engine/src/browser/gate/install-gate.ts'
import { createMocking, type HandlersModule } from '../../packages/engine/src/browser/start/mocking.ts'
import type { Handler } from '../../packages/engine/src/core/handlers/request-handler.ts'
import { bypass, http, HttpResponse, passthrough, ws } from '../../packages/engine/src/index.ts'

/** How the handlers send requests. A build sets this constant. */
declare const wptMode: 'passthrough' | 'bypass'

installGate(globalThis as Window & typeof globalThis)
const mocking = createMocking({
  file: 'test/wpt/page.ts',
  worker: { url: '/understudy-worker.js' },
  onUnhandledRequest: 'error',
  quiet: true,
  expose: false,
  showError() {},
})
const handlersModule: HandlersModule & { handlers: Handler[] } = {
  handlers: [
    http.all('*', ({ request }) =>
      wptMode === 'passthrough' ? passthrough() : fetch(bypass(request)).catch(() => HttpResponse.error()),
    ),
    ws.link('*').addEventListener('connection', ({ server }) => server.connect()),
  ],
}
void mocking.take(handlersModule)
