import type { Meta, StoryObj } from '@storybook/react-vite'
import { http, HttpResponse } from '@understudy/engine'
import { expect, waitFor } from 'storybook/test'

import { BoatCard } from './BoatCard.tsx'

const meta: Meta<typeof BoatCard> = { component: BoatCard, args: { id: 'GBR-7' }, tags: ['!autodocs', '!test'] }
export default meta

/** No handler matches the request for a single boat, so the story fails. */
export const Fails: StoryObj = {
  parameters: { understudy: { onUnhandledRequest: 'error' } },
  play: async ({ canvas }) => {
    await waitFor(() => expect(canvas.getByRole('alert')).toBeVisible())
  },
}

/** A handler decides late that it does not match. The story has no play function that waits for the request. */
export const FailsLate: StoryObj = {
  loaders: [
    () => {
      fetch('/api/late').catch(() => {})
      return {}
    },
  ],
  parameters: {
    understudy: { onUnhandledRequest: 'error' },
    handlers: [
      http.all(
        async ({ request }) => {
          if (request.url.endsWith('/api/late')) await new Promise((resolve) => setTimeout(resolve, 500))
          return false
        },
        () => new HttpResponse(),
      ),
    ],
  },
}
