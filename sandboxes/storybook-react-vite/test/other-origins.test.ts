/** Tests that a page of another site, which shows a Storybook in a frame or in a new window, gets no data and cannot set overrides. */
import { join } from 'node:path'

import type { Browser, Frame, Page } from 'playwright'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'

import { launchBrowser, openVisit, type Visit } from '../../../test/acceptance/browser.ts'
import { createHeavyProject, type Project } from '../../../test/acceptance/project.ts'
import { serveFolder, type FolderServer } from '../../../test/storybook/serve-folder.ts'
import { buildStorybook, startStorybook, type RunningStorybook } from '../../../test/storybook/storybook-tool.ts'

const sandbox = 'storybook-react-vite'
const storyId = 'secrets--secret'

const stories = `import { http, HttpResponse } from '@understudy/engine'
import { useEffect, useState } from 'react'

function Shown() {
  const [text, setText] = useState('')
  useEffect(() => {
    fetch('/api/secret', { headers: { Authorization: ['Bearer', ['hush', 'header'].join('-')].join(' ') } })
      .then((response) => response.text())
      .then(setText, () => setText('refused'))
  }, [])
  return <p>{text}</p>
}

export default {
  title: 'Secrets',
  render: () => <Shown />,
}
export const Secret = {
  parameters: { handlers: [http.get('/api/secret', () => HttpResponse.text(['hush', 'body'].join('-')))] },
}
`

/** The messages that the attacker's page stored. */
const attackerPage = `<!doctype html><title>Attacker</title><script>
globalThis.heard = []
addEventListener('message', ({ data, origin }) => heard.push({ origin, text: typeof data === 'string' ? data : JSON.stringify(data) }))
</script>`

describe.each([
  ['in development', 'dev'],
  ['in a static build', 'static'],
] as const)('a page of another origin, %s', (_name, kind) => {
  let browser: Browser
  let project: Project
  let attacker: FolderServer
  let server: { stop(): Promise<void> } | undefined
  let root: string
  let visit: Visit
  let page: Page

  beforeAll(async () => {
    browser = await launchBrowser(['--host-resolver-rules=MAP attacker.test 127.0.0.1'])
    project = await createHeavyProject(sandbox, {
      'src/components/Secrets.stories.tsx': stories,
      'attacker/index.html': attackerPage,
    })
    attacker = await serveFolder(join(project.folder, 'attacker'), '/')
    if (kind === 'dev') {
      const running: RunningStorybook = await startStorybook(sandbox, project)
      server = running
      root = `${running.origin}/`
    } else {
      const { code, output } = await buildStorybook(sandbox, project)
      expect(code, output).toBe(0)
      const served = await serveFolder(join(project.folder, 'storybook-static'), '/')
      server = served
      root = served.root
    }
    // During the first visit, the builder finds dependencies to optimize, and reloads the page.
    const first = await openVisit(browser)
    await first.page.goto(`${root}iframe.html?id=${storyId}&viewMode=story`)
    await first.page.getByText('hush-body').waitFor({ timeout: 60_000 })
    await first.close()
  })
  afterAll(async () => {
    await server?.stop()
    await attacker?.stop()
    await browser?.close()
    await project?.dispose()
  })

  beforeEach(async () => {
    visit = await openVisit(browser)
    page = visit.page
    // Another port of the same host: Storybook itself trusts that in development.
    await page.goto(attacker.root)
  })
  afterEach(async () => {
    await visit.close()
  })

  /** Shows a page of the Storybook in a frame of the attacker's page. */
  async function embed(path: string): Promise<Frame> {
    await page.evaluate((src) => {
      const frame = document.createElement('iframe')
      frame.src = src
      document.body.append(frame)
    }, root + path)
    await expect.poll(() => page.frames().length).toBeGreaterThan(1)
    return page.frames()[1] as Frame
  }

  /**
   * Sends a window all messages of a manager: over Storybook's channel, and like those of the addon.
   *
   * @param target an expression of the window
   */
  async function command(target: string, payloads: readonly [event: string, ...args: unknown[]][]): Promise<void> {
    await page.evaluate(
      ([to, messages]) => {
        // oxlint-disable-next-line no-eval -- the attacker's page is a test's
        const win = (0, eval)(to) as Window
        for (const [type, ...args] of messages) {
          const event = { type, args, from: 'attacker' }
          for (const data of [
            JSON.stringify({ key: 'storybook-channel', event }),
            { key: 'storybook-channel', event },
          ]) {
            win.postMessage(data, '*')
          }
          const [name] = type.split('/').slice(-1)
          win.postMessage({ understudy: name, event: name, type: name, payload: args[0] }, '*')
          win.postMessage({ 'understudy:storybook': name, payload: args[0] }, '*')
          win.postMessage(args[0], '*')
        }
      },
      [target, payloads] as const,
    )
  }

  const inspection = '@understudy/storybook-addon/inspection'
  const watch = { understudy: 'panel', type: 'watch', panel: 'attacker', network: null, whole: true }

  const heard = (): Promise<{ origin: string; text: string }[]> =>
    page.evaluate(() => (globalThis as unknown as { heard: { origin: string; text: string }[] }).heard)

  /** Returns the messages with data of the addon's networks. */
  async function leaks(): Promise<string[]> {
    const texts = (await heard()).map(({ text }) => text)
    return texts.filter((text) =>
      /hush-(?:header|body)|\\?"understudy\\?":|understudy:storybook|storybook-addon\/(?:inspection|report)/.test(text),
    )
  }

  const textOf = (frame: Frame): Promise<string> => frame.locator('#storybook-root').innerText()

  test('that shows a story in a frame gets no data of its requests', async () => {
    const frame = await embed(`iframe.html?id=${storyId}&viewMode=story`)
    await command('frames[0]', [[inspection, watch]])
    await expect.poll(() => textOf(frame)).toBe('hush-body')
    await command('frames[0]', [[inspection, watch], ['@understudy/storybook-addon/request-reports']])
    await page.waitForTimeout(500)
    // With the received messages, it would request headers and bodies.
    const networks = (await heard()).flatMap(({ text }) => /"network\\?":\\?"([^"\\]+)/.exec(text)?.[1] ?? [])
    const requests = (await heard()).flatMap(({ text }) =>
      Array.from(text.matchAll(/"id\\?":\\?"([\w-]+)\\?"/g), ([, id]) => id as string),
    )
    for (const network of new Set(networks)) {
      for (const requestId of requests) {
        const message = { understudy: 'panel', type: 'command', network, call: requestId }
        await command('frames[0]', [[inspection, { ...message, command: { name: 'details', requestId } }]])
      }
    }
    await page.waitForTimeout(500)
    expect(await leaks()).toEqual([])
  })

  test('that shows a story in a frame cannot force a response, neither by messages nor by the address', async () => {
    const forced = encodeURIComponent(encodeURIComponent('story+GET+%2Fapi%2Fsecret=503'))
    const frame = await embed(`iframe.html?id=${storyId}&viewMode=story&understudy=${forced}`)
    await expect.poll(() => textOf(frame)).toBe('hush-body')
    expect(await statusIn(frame)).toBe(200)
    await command('frames[0]', [
      ['updateQueryParams', { understudy: 'story+GET+%2Fapi%2Fsecret=503' }],
      ['@understudy/storybook-addon/settings', 'story+GET+%2Fapi%2Fsecret=503'],
      ['updateGlobals', { globals: { understudyNetwork: 'errors' } }],
      ['forceRemount', { storyId }],
    ])
    await page.waitForTimeout(1000)
    // Between the end of a story and its next start, no handler answers.
    await expect.poll(() => statusIn(frame)).not.toBe(404)
    expect(await statusIn(frame)).toBe(200)
  })

  test('that shows the whole Storybook in a frame can force no response, and gets no data', async () => {
    const forced = encodeURIComponent('story+GET+%2Fapi%2Fsecret=503')
    await embed(`?path=/story/${storyId}&understudy=${forced}`)
    await expect.poll(() => page.frames().length).toBeGreaterThan(2)
    const preview = page.frames()[2] as Frame
    await expect.poll(() => textOf(preview)).toBe('hush-body')
    await command('frames[0].frames[0]', [[inspection, watch]])
    await command('frames[0]', [[inspection, watch]])
    await page.waitForTimeout(500)
    expect(await statusIn(preview)).toBe(200)
    expect(await leaks()).toEqual([])
  })

  test('that opens the Storybook in a new window can force no response, and gets no data', async () => {
    const [popup] = await Promise.all([
      visit.context.waitForEvent('page'),
      page.evaluate((url) => void Object.assign(globalThis, { popup: open(url) }), `${root}?path=/story/${storyId}`),
    ])
    const preview = popup.frameLocator('#storybook-preview-iframe')
    await expect.poll(() => preview.locator('#storybook-root').innerText()).toBe('hush-body')
    for (const target of ['popup', 'popup.frames[0]']) {
      await command(target, [
        [inspection, watch],
        ['updateQueryParams', { understudy: 'story+GET+%2Fapi%2Fsecret=503' }],
        ['@understudy/storybook-addon/settings', 'story+GET+%2Fapi%2Fsecret=503'],
        ['forceRemount', { storyId }],
      ])
    }
    await page.waitForTimeout(1000)
    const status = (): Promise<number> =>
      preview.locator('body').evaluate(async () => (await fetch('/api/secret')).status)
    await expect.poll(status).not.toBe(404)
    expect(await status()).toBe(200)
    expect(await leaks()).toEqual([])
  })

  test('a top-level window applies the overrides of a link, because no other page can see it', async () => {
    const forced = encodeURIComponent('story+GET+%2Fapi%2Fsecret=503')
    await page.goto(`${root}?path=/story/${storyId}&understudy=${forced}`)
    const preview = page.frameLocator('#storybook-preview-iframe')
    await expect.poll(() => preview.locator('#storybook-root').innerText()).toBe('hush-body')
    const status = await preview.locator('body').evaluate(async () => (await fetch('/api/secret')).status)
    expect(status).toBe(503)
  })

  const statusIn = (frame: Frame): Promise<number> => frame.evaluate(async () => (await fetch('/api/secret')).status)
})
