/**
 * Runs in a sandboxed frame without an origin: the handlers of a link must not reach the site's storage. Such a frame has
 * no service worker, so the engine answers in the page itself.
 */
import * as engine from '@understudy/engine'
import { setupWorker } from '@understudy/engine/browser'
import { inspect, shareInspection, toInspectionPort } from '@understudy/engine/inspect'
import { pickHandlers } from '@understudy/engine/internal/page'

import type { FromFrame, ToFrame } from './messages.ts'
import { send, type Sent } from './send.ts'

const file = 'handlers.ts'
const worker = setupWorker()
const { '~network': network } = worker
const started = worker.start({ onUnhandledRequest: 'error', serviceWorker: { isOptional: true }, quiet: true })
const requests = new Map<number, Sent>()

addEventListener('message', ({ source, ports: [control, inspection] }) => {
  if (source !== parent || !control || !inspection) return
  shareInspection(inspect(worker), toInspectionPort(inspection), { describe: () => ({ title: 'Playground' }) })
  const tell = (message: FromFrame): void => control.postMessage(message)
  control.addEventListener('message', ({ data }: MessageEvent<ToFrame>) => void receive(data, tell))
  control.start()
})

async function receive(message: ToFrame, tell: (message: FromFrame) => void): Promise<void> {
  switch (message.type) {
    case 'run':
      await run(message.run, message.code, tell)
      return
    case 'send':
      await started
      requests.set(message.id, send(message.id, message.request, tell))
      return
    case 'say':
      requests.get(message.id)?.say?.(message.text)
      return
    case 'close':
      requests.get(message.id)?.close()
      requests.delete(message.id)
  }
}

async function run(id: number, code: string, tell: (message: FromFrame) => void): Promise<void> {
  try {
    await started
    const module = { exports: {} }
    // The first line of the code must be the first line of the script, so that the lines in the panel are those of the
    // editor.
    const text = `(function (require, module, exports) {${code}\n})\n//# sourceURL=${file}`
    // eslint-disable-next-line no-eval -- A playground runs what people write. The frame has no origin.
    const evaluate = (0, eval)(text) as (...args: readonly unknown[]) => void
    evaluate(requireModule, module, module.exports)
    const handlers = await pickHandlers(module.exports, file)
    network.layers.replaceInitial(handlers)
    tell({ type: 'ran', run: id, handlers: handlers.length })
  } catch (error) {
    const { message, stack = '' } = error instanceof Error ? error : new Error(String(error))
    const line = /handlers\.ts:(\d+)/.exec(stack)?.[1]
    tell({ type: 'failed', run: id, message, line: line === undefined ? null : Number(line) })
  }
}

function requireModule(name: string): unknown {
  if (name === '@understudy/engine') return engine
  throw new Error(
    `Failed to import "${name}": the playground provides only "@understudy/engine". Write all other code in this file.`,
  )
}
