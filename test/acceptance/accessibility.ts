import axe from 'axe-core'
import type { Page } from 'playwright'

/**
 * Returns the problems that axe finds in a page, each as `rule: element`, and whether the page is wider than its window.
 *
 * @param tag only the rules with this tag: `'cat.color'`
 */
export async function findAccessibilityProblems(page: Page, tag?: string): Promise<string[]> {
  if (!(await page.evaluate('"axe" in globalThis'))) await page.evaluate(axe.source)
  return page.evaluate(async (runOnly) => {
    const { axe: engine } = globalThis as unknown as { axe: typeof axe }
    const { violations } = await engine.run({ ...(runOnly && { runOnly }) })
    const { scrollWidth, clientWidth } = document.documentElement
    const found = violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))
    return [...found, ...(scrollWidth > clientWidth ? ['the page scrolls to the side'] : [])]
  }, tag)
}
