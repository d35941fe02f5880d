import { describe, expect, test } from 'vitest'

import type { BuildTool } from './build-tool.ts'
import { chromium } from './chromium.ts'
import type { BrowserDriver } from './test-browser.ts'
import { visitDocuments } from './visit-documents.ts'

// Functions of the fixture's page.
declare global {
  var inFrames: Record<FrameKind, () => Promise<unknown>>
}

/** A page of the backend, without gate and engine. It posts the answers to its requests. */
const printedPage = `<!doctype html><title>Printed</title><body><img src="/api/image"><script>
  const image = document.querySelector('img')
  const width = image.decode().then(() => image.naturalWidth, () => 'error')
  const user = fetch('/api/user').then((response) => response.json()).then(({ from }) => from, String)
  Promise.all([user, width]).then((answers) => (window.opener ?? window.parent).postMessage({ answers }, '*'))
</script>`

const printedPages: Readonly<Record<string, string>> = { '/api/printed': printedPage }

/** The frames, pop-ups and workers that the fixture `documents` can make. */
const frameKinds = [
  'srcdoc',
  'blank',
  'blob',
  'printed',
  'sandboxed',
  'sandboxed and printed',
  'opaque',
  'opaque and printed',
  'data',
  'nested',
  'pop-up',
  'printed pop-up',
  'nested worker',
] as const

type FrameKind = (typeof frameKinds)[number]

/** The kinds whose requests a browser does not send to a service worker: see docs/documents.md. */
const uncontrolledKinds: Readonly<Partial<Record<BrowserDriver['name'], readonly FrameKind[]>>> = {
  Chromium: ['blank', 'blob', 'pop-up', 'opaque', 'opaque and printed', 'data'],
  Firefox: ['sandboxed', 'pop-up', 'opaque', 'opaque and printed', 'data'],
}

/** Frames without a service worker whose requests the page sees. Browsers hide those of the others. */
const namedKinds: readonly FrameKind[] = ['blank', 'blob', 'sandboxed', 'pop-up']

/** Tests frames, pop-ups and workers without an engine. */
export function testFrames(tool: BuildTool, driver: BrowserDriver = chromium): void {
  const uncontrolled = uncontrolledKinds[driver.name] ?? []

  describe(`${tool.name} in ${driver.name}, frames without an engine`, () => {
    const fixture = visitDocuments(tool, driver, printedPages)
    const inFrame = (kind: FrameKind): Promise<unknown> =>
      fixture.visit.page.evaluate((name) => globalThis.inFrames[name](), kind)

    describe.each(['first', 'second'])('on the %s visit', (ordinal) => {
      fixture.shareVisit(async () => {
        await fixture.openApp()
        if (ordinal === 'second') await fixture.openApp()
      })

      test.each(frameKinds.filter((kind) => !uncontrolled.includes(kind)))(
        '%s: the page that mocks answers a script and an image',
        async (kind) => {
          expect(await inFrame(kind)).toEqual(['the mock', 7])
        },
      )
    })

    async function expectUncontrolled(kind: FrameKind): Promise<void> {
      expect(await inFrame(kind)).toEqual(['the backend', 'error'])
      expect(fixture.backend.requests.toSorted()).toEqual(['GET /api/image', 'GET /api/user'])
      fixture.backend.forget()
    }

    describe('of a kind whose requests the page does not see', () => {
      fixture.shareVisit(() => fixture.openApp())

      test.each(uncontrolled.filter((kind) => !namedKinds.includes(kind)))(
        '%s: no service worker controls it',
        expectUncontrolled,
      )
    })

    // The console names each URL once, so these need a page each.
    test.each(uncontrolled.filter((kind) => namedKinds.includes(kind)))(
      '%s: no service worker controls it, and the console names its request',
      async (kind) => {
        await fixture.openApp()
        await expectUncontrolled(kind)
        await expect.poll(() => fixture.visit.console.join('\n')).toMatch(/answer a request for \S+: .* \(US0315\)/)
      },
    )

    test('an unhandled request of a frame reaches the network', async () => {
      await fixture.openApp()
      const answer = await fixture.visit.page.evaluate(async () => {
        const frame = document.createElement('iframe')
        frame.srcdoc = 'A frame'
        const loaded = new Promise((resolve) => frame.addEventListener('load', resolve))
        document.body.append(frame)
        await loaded
        return (await frame.contentWindow?.fetch('/api/other'))?.json() as Promise<unknown>
      })
      expect(answer).toEqual({ from: 'the backend' })
      expect(fixture.backend.requests).toEqual(['GET /api/other'])
      fixture.backend.forget()
    })

    test('no other page answers the requests of a page that has stopped mocking', async () => {
      await fixture.openApp()
      const answer = await fixture.visit.page.evaluate(async () => {
        const frame = document.createElement('iframe')
        frame.src = '/'
        document.body.append(frame)
        const page = frame.contentWindow as unknown as Record<string, { worker: { stop(): void } } | undefined> & Window
        while (!page['isReady']) await new Promise((resolve) => setTimeout(resolve, 20))
        page['understudy']?.worker.stop()
        return (await page.fetch('/api/user')).json() as Promise<unknown>
      })
      expect(answer).toEqual({ from: 'the backend' })
      expect(fixture.backend.requests).toEqual(['GET /api/user'])
      fixture.backend.forget()
    })
  })
}
