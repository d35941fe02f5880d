import axe from 'axe-core'
import { expect, test } from 'vitest'

import type { Manager } from './open-manager.ts'

/** Tests the keyboard, and the rules of axe. */
export function testAccessibility(manager: Manager): void {
  const { open, show, panel, tab } = manager

  // Storybook 9 does not open editors, so there are no buttons for it.
  test.skipIf(manager.sandbox === 'storybook-9')(
    'the keyboard reaches every handler, and forces an answer',
    async ({ onTestFinished }) => {
      onTestFinished(() => manager.closePage())
      await show('components-boatlist--failed')
      await panel()
        .getByRole('button', { name: /BoatList\.stories\.tsx:20/ })
        .first()
        .waitFor()
      await tab('Handlers').focus()
      const press = async (...keys: string[]): Promise<string> => {
        for (const key of keys) await manager.visit.page.keyboard.press(key)
        return manager.visit.page.evaluate(() => {
          const { activeElement: element } = document
          return `${element?.getAttribute('role') ?? element?.tagName} ${element?.ariaLabel ?? element?.textContent}`
        })
      }
      expect(await press('Tab', 'Tab')).toBe('BUTTON story 1')
      expect(await press('ArrowDown')).toBe('switch GET /api/boats')
      expect(await press('End')).toBe('switch query Tides')
      expect(await press('Home', 'ArrowDown', 'Tab')).toMatch(/^BUTTON Open src\/components\/BoatList\.stories\.tsx:20/)
      expect(await press('Tab')).toMatch(/^BUTTON Force/)
      expect(await press('Enter', 'Tab')).toMatch(/Forced answer of GET \/api\/boats/)
    },
  )

  /** Opens what a tab shows after a click, if it is not open yet. */
  async function openMore(name: string): Promise<void> {
    if (name === 'Handlers') {
      const force = panel()
        .getByRole('button', { name: /^Force an answer/ })
        .first()
      if ((await force.getAttribute('aria-expanded')) === 'false') await force.click()
      await panel()
        .getByRole('combobox', { name: /^Forced answer/ })
        .waitFor()
    }
    if (name === 'Requests' && !(await panel().locator('.us-detail').isVisible())) {
      await panel().getByRole('listbox', { name: 'Requests' }).getByRole('option').first().click()
      await panel().locator('.us-detail .us-fact').first().waitFor()
    }
    if (name === 'Unhandled') {
      await panel()
        .getByRole('button', { name: /^Save as handler/ })
        .first()
        .click()
      await panel()
        .getByText(/^The dev server changes/)
        .waitFor()
    }
  }

  test('axe finds no problem in the panel, with light and dark colors, wide and narrow', async ({ onTestFinished }) => {
    // Other tests expect the colors and the size of a new page.
    onTestFinished(() => manager.closePage())
    for (const theme of ['light', 'dark'] as const) {
      await manager.visit.page.emulateMedia({ colorScheme: theme })
      await manager.visit.page.setViewportSize({ width: 1280, height: 800 })
      await open('/story/components-unhandled--fails')
      await expect.poll(() => tab('Unhandled 1').isVisible()).toBe(true)
      for (const width of [1280, 420]) {
        await manager.visit.page.setViewportSize({ width, height: 800 })
        if (width < 600) await manager.visit.page.getByRole('button', { name: 'Open addon panel' }).click()
        await expect.poll(() => tab('Unhandled 1').isVisible()).toBe(true)
        await manager.visit.page.evaluate(axe.source)
        for (const name of ['Handlers', 'Requests', 'Unhandled']) {
          await tab(name).click()
          for (const isOpen of [false, true]) {
            if (isOpen) await openMore(name)
            // Storybook's own buttons have less contrast below the pointer.
            await manager.visit.page.mouse.move(0, 0)
            const found = await manager.visit.page.evaluate(async () => {
              const { axe: engine } = globalThis as unknown as { axe: typeof axe }
              const { violations } = await engine.run('.us-panel')
              return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
            })
            expect(found, `${name}, ${isOpen ? 'open, ' : ''}${theme}, ${width}`).toEqual([])
          }
          if (name === 'Unhandled') await panel().getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
          await expect.poll(() => panel().count(), { message: `${name}, ${theme}, ${width}` }).toBe(1)
          const { scrollWidth, clientWidth } = await panel().evaluate((element) => element)
          expect(scrollWidth, `${name}, ${width}`).toBe(clientWidth)
        }
      }
    }
  })

  // Later versions of Storybook have a component for it.
  test.runIf(manager.sandbox === 'storybook-9')(
    'the options in the toolbar have the colors of their list',
    async () => {
      const { page } = manager.visit
      await show('components-boatlist--default')
      const options = page.getByRole('combobox', { name: 'Network condition' }).locator('option')
      await expect.poll(() => options.count()).toBe(4)
      const [colors, ofBrowser] = await options.evaluateAll((all) => {
        const read = (element: Element): string => {
          const { color, backgroundColor } = getComputedStyle(element)
          return `${color} on ${backgroundColor}`
        }
        const probe = document.body.appendChild(document.createElement('div'))
        probe.style.cssText = 'color: FieldText; background: Field'
        return [[...new Set(all.map(read))], read(probe)] as const
      })
      expect(colors).toEqual([ofBrowser])
    },
  )
}
