import type { Meta, StoryObj } from '@storybook/react-vite'
import { graphql, HttpResponse } from '@understudy/engine'

import { Tides } from './Tides.tsx'

const meta: Meta<typeof Tides> = { component: Tides, args: { harbour: 'Saltholm' } }
export default meta
type Story = StoryObj<typeof Tides>

export const Today: Story = {}

export const Springs: Story = {
  parameters: {
    handlers: [
      graphql.query('Tides', () =>
        HttpResponse.json({
          data: {
            tides: [
              { time: '00:12', height: 7.4 },
              { time: '06:30', height: 0.2 },
            ],
          },
        }),
      ),
    ],
  },
}

export const NoGauge: Story = {
  parameters: {
    handlers: [
      graphql.query<{ tides: unknown[] }, { harbour: string }>('Tides', ({ variables }) =>
        HttpResponse.json({ errors: [{ message: `There is no gauge in ${variables.harbour}.` }] }),
      ),
    ],
  },
}
