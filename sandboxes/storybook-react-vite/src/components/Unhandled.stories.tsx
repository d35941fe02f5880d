import type { Meta, StoryObj } from '@storybook/react-vite'
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
