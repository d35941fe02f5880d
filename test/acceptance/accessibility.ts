import axe from 'axe-core'
import type { Page } from 'playwright'

/** Returns the problems that axe finds in a page, each as `rule: element`, and whether the page is wider than its window. */
export async function findAccessibilityProblems(page: Page): Promise<string[]> {
  await page.evaluate(axe.source)
  return page.evaluate(async () => {
    const { axe: engine } = globalThis as unknown as { axe: typeof axe }
    const { violations } = await engine.run()
    const { scrollWidth, clientWidth } = document.documentElement
    const found = violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))
    return [...found, ...(scrollWidth > clientWidth ? ['the page scrolls to the side'] : [])]
  })
}
