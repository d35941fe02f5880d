/** Tests the recipes that clear the caches of query clients between stories, each with the real client. */
import { expect, test } from 'vitest'

import { serveStorybook } from '../../../test/storybook/serve-storybook.ts'

const storybook = serveStorybook('storybook-react-vite')

test.each([
  ['TanStack Query', 'tanstack-query'],
  ['Apollo', 'apollo'],
  ['SWR', 'swr'],
  ['RTK Query', 'rtk-query'],
])('%s passes no response to the next story, with its recipe', async (_name, id) => {
  const { visit, preview } = await storybook.openProfile()
  await preview.open(`caches-${id}--first`)
  await expect.poll(() => preview.text()).toBe('Petrel')
  await preview.rendered(`caches-${id}--first`)
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
