import type { Meta, StoryObj } from '@storybook/react-vite'
import { delay, http, HttpResponse } from 'msw'
import { expect, userEvent } from 'storybook/test'

import { Counter } from './Counter'

const meta = { component: Counter } satisfies Meta<typeof Counter>
export default meta

type Story = StoryObj<typeof meta>

export const Open: Story = {
  async play({ canvas }) {
    const teas = await canvas.findAllByRole('listitem')
    await expect(teas.map(({ firstChild }) => firstChild?.textContent)).toEqual(['Assam', 'Sencha'])
    await expect(await canvas.findByTestId('customer')).toHaveTextContent('Ada, 12 points')
  },
}

export const Ordered: Story = {
  async play({ canvas }) {
    await userEvent.click(await canvas.findByRole('button', { name: 'Order Assam' }))
    await expect(await canvas.findByRole('status')).toHaveTextContent('50 g of Assam')
  },
}

export const SoldOut: Story = {
  async play({ canvas }) {
    await userEvent.click(await canvas.findByRole('button', { name: 'Order Sencha' }))
    await expect(await canvas.findByRole('status')).toHaveTextContent('409 There is too little of it.')
  },
}

export const Empty: Story = {
  parameters: { msw: { handlers: { teas: [http.get('/api/teas', () => HttpResponse.json([]))] } } },
  async play({ canvas }) {
    await expect(await canvas.findByTestId('customer')).toHaveTextContent('Ada')
    await expect(canvas.queryAllByRole('listitem')).toEqual([])
  },
}

export const Closed: Story = {
  parameters: {
    msw: { handlers: { teas: [http.get('/api/teas', () => HttpResponse.text('Closed on Mondays', { status: 503 }))] } },
  },
  async play({ canvas }) {
    await expect(await canvas.findByRole('alert')).toHaveTextContent('503 Closed on Mondays')
  },
}

export const Offline: Story = {
  parameters: { msw: { handlers: { teas: [http.get('/api/teas', () => HttpResponse.error())] } } },
  async play({ canvas }) {
    await expect(await canvas.findByRole('alert')).toHaveTextContent('Failed to fetch')
  },
}

export const Loading: Story = {
  parameters: {
    msw: {
      handlers: {
        teas: [
          http.get('/api/teas', async () => {
            await delay('infinite')
            return HttpResponse.json([])
          }),
        ],
      },
    },
  },
  async play({ canvas }) {
    await expect(canvas.getByText('The kettle is on…')).toBeVisible()
  },
}

export const Guest: Story = {
  parameters: {
    msw: { handlers: { customer: http.get('/api/customer', () => new HttpResponse(null, { status: 401 })) } },
  },
  async play({ canvas }) {
    await expect(await canvas.findByRole('alert')).toHaveTextContent('A guest')
    await expect(await canvas.findAllByRole('listitem')).toHaveLength(2)
  },
}
