/** Tests a project with an empty array of handlers. */
import { composeStories, setProjectAnnotations } from '@storybook/react-vite'
import understudy from '@understudy/storybook-addon'
import { expect, test, vi } from 'vitest'

import * as preview from '../.storybook/preview.ts'
import * as boatList from '../src/components/BoatList.stories.tsx'

const reported = vi.spyOn(console, 'error')
setProjectAnnotations([understudy({ handlers: [] }), preview])
const { Default, Empty } = composeStories(boatList)

test('understudy({ handlers: [] }) is legal: stories are answered by their own handlers', async () => {
  await Empty.run()
  await vi.waitFor(() => expect(document.body.textContent).toContain('No boats today.'))
  expect(reported.mock.calls.join('\n')).not.toContain('[understudy]')
})

test('no handler of the project answers', async () => {
  await Default.run()
  await vi.waitFor(() => expect(document.body.textContent).toContain('could not be loaded'))
})
