import type { Meta, StoryObj } from '@storybook/react-vite'
import { ws } from '@understudy/engine'
import { expect, waitFor } from 'storybook/test'

import { HarbourChat } from './HarbourChat.tsx'

const office = ws.link('wss://harbour.example/chat')

const meta: Meta<typeof HarbourChat> = { component: HarbourChat }
export default meta
type Story = StoryObj<typeof HarbourChat>

export const Greeting: Story = {
  parameters: {
    handlers: [office.addEventListener('connection', ({ client }) => client.send('Good morning, skipper.'))],
  },
}

export const Answers: Story = {
  parameters: {
    handlers: [
      office.addEventListener('connection', ({ client }) => {
        client.addEventListener('message', ({ data }) => client.send(`We heard: ${data as string}`))
      }),
    ],
  },
  play: async ({ canvas, userEvent }) => {
    await waitFor(() => expect(canvas.getByText('Connected')).toBeVisible())
    await userEvent.type(canvas.getByLabelText('Message'), 'Ahoy')
    await userEvent.click(canvas.getByRole('button', { name: 'Send' }))
    await waitFor(() => expect(canvas.getByText('Office: We heard: Ahoy')).toBeVisible())
  },
}

export const HangsUp: Story = {
  parameters: { handlers: [office.addEventListener('connection', ({ client }) => client.close(1001))] },
}
