import type { Meta, StoryObj } from '@storybook/react-vite'
import { http, HttpResponse } from '@understudy/engine'
import { expect, waitFor } from 'storybook/test'

import { SignIn } from './SignIn.tsx'

const meta: Meta<typeof SignIn> = { component: SignIn }
export default meta
type Story = StoryObj<typeof SignIn>

export const SignedOut: Story = {}

/** Sets a cookie, which does not exist in the next story. */
export const SignsIn: Story = {
  play: async ({ canvas, userEvent }) => {
    await userEvent.type(await canvas.findByLabelText('Name'), 'Ines')
    await userEvent.type(canvas.getByLabelText('Password'), 'tide')
    await userEvent.click(canvas.getByRole('button', { name: 'Sign in' }))
    await waitFor(() => expect(canvas.getByText('Signed in as Ines')).toBeVisible())
  },
}

export const WrongPassword: Story = {
  parameters: {
    handlers: [
      http.post('/api/session', () =>
        HttpResponse.json({ message: 'Name and password do not match.' }, { status: 401 }),
      ),
    ],
  },
  play: async ({ canvas, userEvent }) => {
    await userEvent.type(await canvas.findByLabelText('Name'), 'Ines')
    await userEvent.click(canvas.getByRole('button', { name: 'Sign in' }))
    await waitFor(() => expect(canvas.getByRole('alert')).toHaveTextContent('do not match'))
  },
}
