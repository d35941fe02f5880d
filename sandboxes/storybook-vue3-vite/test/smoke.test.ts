/** Tests another framework than React: it starts, handlers answer its stories, and the panel shows them. */
import { expect, test } from 'vitest'

import { testBoatList } from '../../../test/storybook/boat-list.ts'
import { serveStorybook } from '../../../test/storybook/serve-storybook.ts'

const storybook = serveStorybook('storybook-vue3-vite')

testBoatList({ browser: () => storybook.browser, root: () => storybook.root })

test('a story of Vue uses its controls in its handlers', async () => {
  const { visit, preview } = await storybook.openProfile()
  await preview.open('boatlist--from-controls')
  await expect.poll(() => preview.text()).toMatch(/Empty\s+Empty/)
  expect(visit.errors).toEqual([])
})
