import type { Meta, StoryObj } from '@storybook/react-vite'
import { http, HttpResponse } from '@understudy/engine'
import type { UnderstudyParameters } from '@understudy/storybook-addon'
import { useState, type ReactElement } from 'react'

import { BoatCard } from './BoatCard.tsx'

interface Args {
  id: string
  /** The response of the register. */
  name: string
  length: number
}

/** Remounts the card when an arg changes, so that it requests the boat again. */
function Render({ id, name, length }: Args): ReactElement {
  const [shown, setShown] = useState({ id, name, length, turn: 0 })
  if (shown.id !== id || shown.name !== name || shown.length !== length) {
    setShown({ id, name, length, turn: shown.turn + 1 })
  }
  return <BoatCard key={shown.turn} id={id} />
}

const meta: Meta<Args> = {
  component: BoatCard as never,
  render: Render,
  args: { id: 'GBR-7', name: 'Petrel', length: 9 },
}
export default meta
type Story = StoryObj<Args>

/** Controls drive the response. */
export const FromControls: Story = {
  parameters: {
    handlers: ({ args }) => [
      http.get('/api/boats/:id', ({ params }) =>
        HttpResponse.json({ id: params['id'], name: args['name'], length: args['length'], berth: 'A3' }),
      ),
    ],
  } satisfies UnderstudyParameters,
}

export const NotFound: Story = {
  parameters: {
    handlers: {
      boat: http.get('/api/boats/:id', () => HttpResponse.json({ message: 'No such boat.' }, { status: 404 })),
    },
  },
}

export const Nameless: Story = {
  args: { name: '' },
  parameters: {
    msw: {
      handlers: [
        http.get('/api/boats/:id', () => HttpResponse.json({ id: '1', name: 'Unnamed', length: 4, berth: '–' })),
      ],
    },
  },
}
