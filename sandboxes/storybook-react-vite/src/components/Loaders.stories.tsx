import type { Meta, StoryObj } from '@storybook/react-vite'
import { delay, http, HttpResponse } from '@understudy/engine'

import { listBoats } from '../api/harbour.ts'

let early = ''

const meta: Meta = {
  render: (_args, { loaded }) => (
    <p>
      loader: {String(loaded['boat'])}, beforeEach: {early}
    </p>
  ),
}
export default meta

export const Answered: StoryObj = {
  parameters: { handlers: [http.get('/api/early', () => HttpResponse.json([{ name: 'Petrel' }]))] },
  loaders: [async () => ({ boat: (await listBoats('/api/early'))[0]?.name })],
  beforeEach: async () => {
    early = (await listBoats('/api/early'))[0]?.name ?? ''
  },
}

/** Its loader never ends. */
export const Waits: StoryObj = {
  tags: ['!test'],
  parameters: { handlers: [http.get('/api/early', () => delay('infinite'))] },
  loaders: [
    async () => {
      console.info('the loader asks')
      return { boat: (await listBoats('/api/early'))[0]?.name }
    },
  ],
}
