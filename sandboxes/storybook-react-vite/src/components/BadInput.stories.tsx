import type { Meta, StoryObj } from '@storybook/react-vite'
import { http, HttpResponse } from '@understudy/engine'

import { BoatList } from './BoatList.tsx'

const more = [http.get('/api/more', () => HttpResponse.json([]))]

const meta: Meta<typeof BoatList> = { component: BoatList, tags: ['!autodocs'] }
export default meta

export const SpreadForgotten: StoryObj = {
  parameters: { handlers: { boats: [http.get('/api/boats', () => HttpResponse.json([])), more] } },
}

export const Throws: StoryObj = {
  parameters: {
    handlers: () => {
      throw new Error('oops')
    },
  },
}
