import type { Meta, StoryObj } from '@storybook/react-vite'
import { delay, http, HttpResponse } from '@understudy/engine'
import { understudyOf } from '@understudy/storybook-addon'
import { expect, waitFor } from 'storybook/test'

import { BerthForm } from './BerthForm.tsx'

const meta: Meta<typeof BerthForm> = {
  component: BerthForm,
  parameters: {
    handlers: {
      bookings: http.post('/api/bookings', () => HttpResponse.json({ berth: 'B12' }, { status: 201 })),
    },
  },
}
export default meta
type Story = StoryObj<typeof BerthForm>

export const Blank: Story = {}

export const Booked: Story = {
  play: async (context) => {
    const { canvas, userEvent } = context
    const { requests } = understudyOf(context)
    await userEvent.type(canvas.getByLabelText('Boat'), 'Petrel')
    await userEvent.click(canvas.getByRole('button', { name: 'Book' }))
    await waitFor(() => expect(canvas.getByText('Berth B12 is yours.')).toBeVisible())
    await expect(await requests('POST /api/bookings')).toMatchObject([
      { body: { boat: 'Petrel', nights: 1 }, status: 201 },
    ])
  },
}

export const Full: Story = {
  parameters: {
    handlers: {
      bookings: http.post('/api/bookings', () =>
        HttpResponse.json({ message: 'The harbour is full.' }, { status: 409 }),
      ),
    },
  },
  play: async ({ canvas, userEvent }) => {
    await userEvent.type(canvas.getByLabelText('Boat'), 'Petrel')
    await userEvent.click(canvas.getByRole('button', { name: 'Book' }))
    await waitFor(() => expect(canvas.getByRole('alert')).toHaveTextContent('The harbour is full.'))
  },
}

export const FullAtTheSecondTry: Story = {
  play: async (context) => {
    const { canvas, userEvent } = context
    understudyOf(context).use(
      http.post('/api/bookings', () => HttpResponse.json({ message: 'Taken just now.' }, { status: 409 })),
    )
    await userEvent.type(canvas.getByLabelText('Boat'), 'Petrel')
    await userEvent.click(canvas.getByRole('button', { name: 'Book' }))
    await waitFor(() => expect(canvas.getByRole('alert')).toHaveTextContent('Taken just now.'))
    understudyOf(context).resetHandlers()
    await userEvent.click(canvas.getByRole('button', { name: 'Book' }))
    await waitFor(() => expect(canvas.getByText('Berth B12 is yours.')).toBeVisible())
  },
}

export const Slow: Story = {
  parameters: {
    handlers: {
      bookings: http.post('/api/bookings', async () => {
        await delay('infinite')
        return HttpResponse.json({ berth: 'B12' })
      }),
    },
  },
  play: async ({ canvas, userEvent }) => {
    await userEvent.type(canvas.getByLabelText('Boat'), 'Petrel')
    await userEvent.click(canvas.getByRole('button', { name: 'Book' }))
    await waitFor(() => expect(canvas.getByRole('button', { name: 'Booking…' })).toBeDisabled())
  },
}
