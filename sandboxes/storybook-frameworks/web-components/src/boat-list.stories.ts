import type { Meta, StoryObj } from '@storybook/web-components-vite'
import { delay, http, HttpResponse } from '@understudy/engine'
import { understudyOf } from '@understudy/storybook-addon'
import { expect, waitFor } from 'storybook/test'

import './boat-list.ts'

const meta: Meta = { title: 'BoatList', component: 'boat-list' }
export default meta
type Story = StoryObj

/** Answered by the handlers of the project: src/mocks/handlers.ts. */
export const Default: Story = {}

export const Loading: Story = {
  parameters: { handlers: [http.get('/api/boats', () => delay('infinite'))] },
}

export const Failed: Story = {
  parameters: {
    handlers: [
      http.get('/api/boats', () => HttpResponse.json({ message: 'The register is closed.' }, { status: 503 })),
    ],
  },
  play: async (context) => {
    await waitFor(() => expect(context.canvas.getByRole('alert')).toBeVisible())
    await expect(await understudyOf(context).requests('GET /api/boats')).toMatchObject([{ status: 503 }])
  },
}

/** Adds handlers like stories for version 3 of `msw-storybook-addon`. */
export const FromBeforeEach: Story = {
  beforeEach({ msw }) {
    msw.use(http.get('/api/boats', () => HttpResponse.json([{ id: 'GBR-8', name: 'Shearwater' }])))
  },
  play: async ({ canvas, understudy }) => {
    await waitFor(() => expect(canvas.getByText('Shearwater')).toBeVisible())
    await expect(await understudy.requests('GET /api/boats')).toHaveLength(1)
  },
}
