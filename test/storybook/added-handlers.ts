import { expect, test } from 'vitest'

import type { SharedPreview } from './switching.ts'

/** Tests a docs page with stories that add handlers in `beforeEach`, as stories for `msw-storybook-addon` 3 do. */
export function testAddedHandlers(shared: SharedPreview): void {
  test('stories of a docs page that add handlers move to frames, and the page does not reload', async () => {
    const { preview, visit } = shared
    await shared.show('components-addedhandlers--default')
    await preview.mark()
    await preview.select('components-addedhandlers--docs')
    await expect
      .poll(() => preview.docs())
      .toMatchObject({
        'components-addedhandlers--default': expect.stringMatching(/^In the harbour\s+Shearwater/),
        'components-addedhandlers--from-before-each': expect.stringMatching(/^framed:[^]*No boats today\./),
        'components-addedhandlers--from-slow-before-each': expect.stringMatching(
          /^framed:[^]*The register is closed\./,
        ),
      })
    expect(await preview.isMarked()).toBe(true)
    expect(visit.errors).toEqual([])
  })
}
