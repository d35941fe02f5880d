import { expect, test } from 'vitest'

import type { SharedPreview } from './switching.ts'

/** Tests the recipes that clear the caches of query clients between stories, each with the real client. */
export function testCaches(page: SharedPreview): void {
  test.each([
    ['TanStack Query', 'tanstack-query'],
    ['Apollo', 'apollo'],
    ['SWR', 'swr'],
    ['RTK Query', 'rtk-query'],
  ])('%s passes no response to the next story, with its recipe', async (_name, id) => {
    const { preview, visit } = page
    await page.show(`caches-${id}--first`)
    await expect.poll(() => preview.text()).toBe('Petrel')
    await preview.mark()
    await preview.select(`caches-${id}--second`)
    await expect.poll(() => preview.text()).toBe('Dipper')
    await preview.rendered(`caches-${id}--second`)
    // Without the recipe, the client answers from its cache and sends no request.
    await preview.select(`caches-${id}--kept`)
    await preview.rendered(`caches-${id}--kept`)
    expect(await preview.text()).toBe('Dipper')
    await preview.select(`caches-${id}--first`)
    await expect.poll(() => preview.text()).toBe('Petrel')
    expect(await preview.isMarked()).toBe(true)
    expect(visit.errors).toEqual([])
  })
}
