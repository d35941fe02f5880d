import { expect, test } from 'vitest'

import type { WebWorkerVisits } from './web-worker-visits.ts'

/** Web workers whose scripts no plugin has extended, so that no handler can take their WebSockets. */
export function testUnprocessedWebWorkers(at: WebWorkerVisits, kinds: readonly string[]): void {
  const { connect, open, start } = at

  test('the console names a web worker whose script no plugin processes, once', async () => {
    const page = await open()
    const lines = (): string[] => (at.visits[0]?.console ?? []).filter((line) => line.includes('US0623'))
    const openThere = `(async () => {
      const worker = new Worker('/public.js')
      worker.postMessage('${at.real}/proxied')
      return new Promise((resolve) => (worker.onmessage = ({ data }) => resolve(data)))
    })()`
    expect(await page.evaluate(openThere)).toBe('open')
    await expect
      .poll(lines)
      .toEqual([expect.stringContaining('of the web worker ' + at.served.server.origin + '/public.js')])
    expect(await page.evaluate(openThere)).toBe('open')
    for (const kind of kinds) {
      await start(page, kind)
      await connect(page, 'wss://example.com/chat/x')
    }
    await page.evaluate(`(() => {
      new Worker('/silent.js')
      new Worker(URL.createObjectURL(new Blob(['// It opens none.'])))
      const url = URL.createObjectURL(new Blob(['new WebSocket("${at.real}/proxied")']))
      new Worker(url)
      URL.revokeObjectURL(url)
    })()`)
    await expect.poll(lines).toHaveLength(2)
    expect(lines()).toEqual([expect.stringContaining('/public.js'), expect.stringContaining('with a blob: URL')])
  })

  test('so it does for the script with which Turbopack starts a web worker until Next.js 16.3', async () => {
    const page = await open()
    await page.evaluate(`void new Worker(URL.createObjectURL(new Blob(['self.TURBOPACK_NEXT_CHUNK_URLS = []'])))`)
    await expect
      .poll(() => at.visits[0]?.console.join('\n'))
      .toContain('Failed to mock the WebSockets of the web worker with a blob: URL')
  })
}
