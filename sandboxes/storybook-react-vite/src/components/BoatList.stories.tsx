import type { Meta, StoryObj } from '@storybook/react-vite'
import { delay, http, HttpResponse } from '@understudy/engine'

import { BoatList } from './BoatList.tsx'

const meta: Meta<typeof BoatList> = { component: BoatList }
export default meta
type Story = StoryObj<typeof BoatList>

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
}

export const Empty: Story = {
  parameters: { handlers: [http.get('/api/boats', () => HttpResponse.json([]))] },
}

export const Long: Story = {
  parameters: {
    handlers: [
      http.get('/api/boats', () =>
        HttpResponse.json(
          Array.from({ length: 60 }, (_, index) => ({
            id: `b${index}`,
            name: `Boat ${index + 1}`,
            length: 6 + (index % 9),
            berth: `C${index + 1}`,
          })),
        ),
      ),
    ],
  },
}

export const Offline: Story = {
  parameters: { handlers: [http.get('/api/boats', () => HttpResponse.error())] },
}
