import { expect, test } from '@jest/globals'
import { composeStories } from '@storybook/react'
import { waitFor } from 'storybook/test'

import * as stories from './BoatList.stories.tsx'

const { Default, Loading, Failed } = composeStories(stories)

test('a story is answered by the handlers of the project', async () => {
  await Default.run()
  await waitFor(() => expect(document.body.textContent).toContain('Petrel'))
})

test('a story is answered by its own handlers, and plays', async () => {
  await Failed.run()
  expect(document.body.textContent).toContain('The register is closed.')
})

test('a story that never gets its response keeps its first state', async () => {
  await Loading.run()
  expect(document.body.textContent).toContain('Loading boats…')
})
