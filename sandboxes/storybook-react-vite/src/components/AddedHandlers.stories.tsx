import type { Meta, StoryObj } from '@storybook/react-vite'
import { delay, http, HttpResponse } from '@understudy/engine'
import { understudyOf } from '@understudy/storybook-addon'

import { BoatList } from './BoatList.tsx'

/** Stories that add handlers before they render, which React does in several tasks. */
const meta: Meta<typeof BoatList> = {
  component: BoatList,
  tags: ['!test'],
  beforeEach(context) {
    understudyOf(context).use(http.get('/api/boats', () => HttpResponse.json([{ id: 'b1', name: 'Shearwater' }])))
  },
}
export default meta
type Story = StoryObj<typeof BoatList>

/** Stays inline, because it is the first. */
export const Default: Story = {}

export const FromBeforeEach: Story = {
  beforeEach(context) {
    understudyOf(context).use(http.get('/api/boats', () => HttpResponse.json([])))
  },
}

/** Is still preparing when the others have rendered. */
export const FromSlowBeforeEach: Story = {
  async beforeEach(context) {
    understudyOf(context).use(
      http.get('/api/boats', () => HttpResponse.json({ message: 'The register is closed.' }, { status: 503 })),
    )
    await delay(300)
  },
}
