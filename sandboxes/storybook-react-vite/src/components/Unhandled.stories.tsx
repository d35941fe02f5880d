import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect, waitFor } from 'storybook/test'

import { BoatCard } from './BoatCard.tsx'

const meta: Meta<typeof BoatCard> = { component: BoatCard, args: { id: 'GBR-7' }, tags: ['!autodocs', '!test'] }
export default meta

/** There is no handler of a single boat: the story says that this is a fault. */
export const Fails: StoryObj = {
  parameters: { understudy: { onUnhandledRequest: 'error' } },
  play: async ({ canvas }) => {
    await waitFor(() => expect(canvas.getByRole('alert')).toBeVisible())
  },
}
