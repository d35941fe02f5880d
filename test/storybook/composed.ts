import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'

import type { Browser, FrameLocator } from 'playwright'
import { expect, test } from 'vitest'

import { openVisit } from '../acceptance/browser.ts'
import type { Project } from '../acceptance/project.ts'

const panelParameter = '&addonPanel=@understudy/storybook-addon/panel'

/** Changes a Storybook so that it composes another one, and answers differently. */
export async function compose(host: Project, fleet: string): Promise<void> {
  const stories = 'src/components/BoatList.stories.tsx'
  await host.edit('.storybook/main.ts', 'stories:', `refs: { fleet: { title: 'Fleet', url: '${fleet}' } },\n  stories:`)
  await host.edit(stories, 'The register is closed.', 'The harbour is frozen.')
  await host.edit(stories, '503', '504')
}

interface Composed {
  readonly browser: Browser
  /** The origin of the Storybook that composes the other one: `http://localhost:6006` */
  readonly origin: string
  /** The URL of the composed Storybook, whose option `composedBy` lists the origin. */
  readonly fleet: string
}

/** Tests a Storybook that composes another one. Both have the addon and their own handlers. */
export function testComposed(getComposed: () => Composed): void {
  test("each Storybook's stories are answered by their own handlers, and the panel shows those of the active one", async () => {
    const visit = await openVisit(getComposed().browser)
    const { page } = visit
    const textOf = (frame: FrameLocator): Promise<string> => frame.locator('#storybook-root').innerText()
    const panel = page.locator('.us-panel')
    const places = (): Promise<string> => panel.innerText()

    await page.goto(`${getComposed().origin}/?path=/story/components-boatlist--failed${panelParameter}`)
    const own = page.frameLocator('#storybook-preview-iframe')
    await expect.poll(() => textOf(own)).toContain('The harbour is frozen.')
    await expect.poll(places).toMatch(/Story[^]*\/api\/boats[^]*504[^]*1 hit/)

    await page.goto(`${getComposed().origin}/?path=/story/fleet_components-boatlist--failed${panelParameter}`)
    const fleet = page.frameLocator('#storybook-ref-fleet')
    await expect.poll(() => textOf(fleet)).toContain('The register is closed.')
    await expect.poll(places).toMatch(/Story[^]*\/api\/boats[^]*503[^]*1 hit/)
    // Its files do not belong to this project, so no editor can open them.
    expect(await panel.getByRole('button', { name: /in the editor/ }).count()).toBe(0)
    // Switches the handler off only for the composed Storybook.
    await panel.getByRole('switch').first().click()
    await panel.getByText('1 handler overridden').waitFor()
    // The panel shows a change before the manager has it in its URL.
    await expect.poll(() => page.url()).toContain('understudy=')
    await page.reload()
    // A failure shows whether the manager and the composed Storybook had the setting in their URLs.
    const addresses = async (): Promise<string> =>
      `${page.url()}\n${await page.locator('#storybook-ref-fleet').getAttribute('src')}`
    await expect.poll(async () => `${await textOf(fleet)}\n${await addresses()}`).toContain('Petrel')

    await page.goto(`${getComposed().origin}/?path=/story/fleet_components-boatlist--empty${panelParameter}`)
    await expect.poll(() => textOf(fleet)).toContain('No boats today.')
    await expect.poll(places).toMatch(/Story[^]*\/api\/boats[^]*200[^]*1 hit/)
    await visit.close()
  })

  test('a Storybook that the composed one does not list shows its stories, and gets no data of their requests', async () => {
    const proxy = await startProxy(getComposed().origin)
    const other = proxy.origin
    const visit = await openVisit(getComposed().browser)
    const heard: string[] = []
    await visit.page.exposeFunction('note', (text: string) => heard.push(text))
    await visit.page.addInitScript(() => {
      addEventListener('message', ({ data, origin }) => {
        const { note } = globalThis as unknown as { note: (text: string) => void }
        if (origin !== location.origin) note(JSON.stringify(data))
      })
    })
    await visit.page.goto(`${other}/?path=/story/fleet_components-boatlist--failed${panelParameter}`)
    const fleet = visit.page.frameLocator('#storybook-ref-fleet')
    await expect.poll(() => fleet.locator('#storybook-root').innerText()).toContain('The register is closed.')
    await visit.page.getByText(`composedBy: ['${other}']`).waitFor()
    expect(heard.join('\n')).not.toMatch(/understudy:storybook|"understudy\\*":/)
    await visit.close()
    proxy.stop()
  })

  test('the panel names a composed Storybook that sends no messages', async () => {
    const visit = await openVisit(getComposed().browser)
    // Like a Storybook without the addon.
    await visit.page.route(`${getComposed().fleet}iframe.html*`, (route) =>
      route.fulfill({ contentType: 'text/html', body: '<!doctype html><p id="storybook-root">No addon here</p>' }),
    )
    await visit.page.goto(`${getComposed().origin}/?path=/story/fleet_components-boatlist--failed${panelParameter}`)
    await expect.poll(() => visit.page.getByText('“Fleet” has not reported its handlers').isVisible()).toBe(true)
    await visit.close()
  })
}

/** The same Storybook on another port, which is another origin. */
async function startProxy(target: string): Promise<{ origin: string; stop(): void }> {
  const proxy = createServer((incoming, outgoing) => {
    const sent = request(new URL(incoming.url ?? '/', target), (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers)
      response.pipe(outgoing)
    })
    sent.on('error', () => outgoing.destroy())
    sent.end()
  })
  await new Promise<void>((resolve) => {
    proxy.listen(0, resolve)
  })
  const { port } = proxy.address() as AddressInfo
  return {
    origin: `http://localhost:${port}`,
    stop() {
      proxy.closeAllConnections()
      proxy.close()
    },
  }
}
