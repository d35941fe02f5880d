import type { Meta, StoryObj } from '@storybook/react-vite'
import { graphql, HttpResponse } from 'msw'
import { expect } from 'storybook/test'

import { Notes } from './Notes'

const meta = { component: Notes, args: { tea: 'Assam' } } satisfies Meta<typeof Notes>
export default meta

type Story = StoryObj<typeof meta>

export const Assam: Story = {
  async play({ canvas }) {
    await expect(await canvas.findByTestId('notes')).toHaveTextContent('malty, fresh')
  },
}

export const Sencha: Story = {
  args: { tea: 'Sencha' },
  async play({ canvas }) {
    await expect(await canvas.findByTestId('notes')).toHaveTextContent('grassy, fresh')
  },
}

export const Refused: Story = {
  parameters: {
    msw: {
      handlers: {
        notes: graphql.query('Notes', () => HttpResponse.json({ errors: [{ message: 'Only for tasters.' }] })),
      },
    },
  },
  async play({ canvas }) {
    await expect(await canvas.findByRole('alert')).toHaveTextContent('Only for tasters.')
  },
}
