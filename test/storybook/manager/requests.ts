import type { Locator } from 'playwright'
import { beforeEach, describe, expect, test } from 'vitest'

import type { Manager } from './open-manager.ts'

/** Tests the log of requests, and the marks of stories with problems. */
export function testRequests(manager: Manager): void {
  const { show, readStory, panel, readPanel, tab, ask, readMark, rowOf } = manager

  test('a story with an unhandled request is marked in the sidebar, and the panel shows the nearest handlers', async () => {
    await manager.visit.context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await show('components-unhandled--fails')
    await expect.poll(() => tab('Unhandled 1').isVisible()).toBe(true)
    await manager.visit.page.getByRole('tab', { name: /^Handlers 1 unhandled request$/ }).waitFor()
    await expect.poll(() => readMark('components-unhandled--fails')).toMatch(/warning/i)
    await tab('Unhandled').click()
    await expect.poll(readPanel).toMatch(/GET \/api\/boats[^]*2 segments expected, 3 sent/)
    await panel().getByRole('button', { name: 'Copy the handler' }).click()
    await panel().getByRole('button', { name: 'Copied the handler' }).waitFor()
    expect(await manager.visit.page.evaluate(() => navigator.clipboard.readText())).toContain(
      "http.get('/api/boats/GBR-7', () => HttpResponse.json({}))",
    )
  })

  test('the log begins with the story', async () => {
    await show('components-boatlist--failed')
    await tab('Requests 1').waitFor()
    await manager.visit.page.getByRole('link', { name: 'Empty' }).click()
    await expect.poll(readStory).toContain('No boats today.')
    await tab('Requests 1').click()
    await expect
      .poll(() => panel().getByRole('listbox', { name: 'Requests' }).getByRole('option').allInnerTexts())
      .toEqual([expect.stringMatching(/^200\s+GET\s+\/api\/boats/)])
  })

  test('a story with a resolver that threw, and one with invalid handlers, are marked', async () => {
    await show('layers--broken')
    await manager.visit.page.getByRole('tab', { name: /^Handlers \d+ errors?$/ }).waitFor()
    await expect.poll(() => readMark('layers--broken')).toMatch(/warning/i)
    await show('components-badinput--spread-forgotten')
    await expect.poll(() => readMark('components-badinput--spread-forgotten')).toMatch(/warning/i)
    await expect
      .poll(readPanel)
      .toContain(
        'Failed to read the handlers of the story "components/BadInput/Spread Forgotten": item 2 of ' +
          'parameters.handlers.boats is an array.',
      )
    await expect.poll(readStory).toContain('No boats today.')
  })

  describe('a story that makes no request', () => {
    beforeEach(async () => {
      await show('layers--bodies')
      await rowOf('GET /api/picture').waitFor()
    })

    test('a story without requests says what to do', async () => {
      await tab('Requests').click()
      await panel().getByText('No requests yet').waitFor()
      await tab('Unhandled').click()
      await panel().getByText('No unhandled requests').waitFor()
    })

    test('the log contains bodies: JSON, images, and long ones', async () => {
      for (const path of ['/api/boats', '/api/picture', '/api/log']) expect(await ask(path)).toEqual([200])
      await tab('Requests').click()
      const option = (name: string): Locator => panel().getByRole('option', { name: new RegExp(name) })
      await option('/api/boats').click()
      await panel().getByText('"Petrel"').first().waitFor()
      await option('/api/picture').click()
      await expect
        .poll(() =>
          panel()
            .locator('img')
            .evaluate((image: HTMLImageElement) => image.naturalWidth),
        )
        .toBe(1)
      await option('/api/log').click()
      await expect.poll(readPanel).toMatch(/text\/plain · cut: the first \d+(?:\.\d)? MB[^]*line of the log/)
    })

    test('the panel renders only the visible ones of 200 requests, and the keyboard reaches the last one', async () => {
      await tab('Requests').click()
      await panel().getByRole('button', { name: 'Clear the list of requests' }).click()
      await ask('/api/count/*', 200)
      const options = panel().getByRole('listbox', { name: 'Requests' }).getByRole('option')
      await panel().getByText('200 requests').waitFor()
      await expect.poll(() => options.first().textContent()).toContain('/api/count/199')
      expect(await options.count()).toBeLessThan(80)
      await options.first().focus()
      await manager.visit.page.keyboard.press('End')
      await expect.poll(() => panel().locator(':focus').textContent()).toContain('/api/count/0')
    })
  })
}
