import { provideHttpClient } from '@angular/common/http'
import { applicationConfig, type Meta, type StoryObj } from '@storybook/angular'
import { delay, http, HttpResponse } from '@understudy/engine'
import { understudyOf } from '@understudy/storybook-addon'
import { expect, waitFor } from 'storybook/test'

import { BoatList } from './boat-list'

const meta: Meta<BoatList> = {
  title: 'BoatList',
  component: BoatList,
  decorators: [applicationConfig({ providers: [provideHttpClient()] })],
}
export default meta
type Story = StoryObj<BoatList>

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
