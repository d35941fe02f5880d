export const layersFile = 'src/components/Layers.stories.tsx'

/** Exports that the tests add to the project's handlers module. */
export const moreExports = `
let seals = ['Nora']

export const state = {
  seals: {
    read: () => seals,
    write: (value: string[]) => {
      seals = value
    },
    reset: () => {
      seals = ['Nora']
    },
  },
}

const boat = (name: string) => [{ id: 'X', name, length: 9, berth: 'A3' }]

export const scenarios = {
  seals: [http.get('/api/seals', () => HttpResponse.json(seals))],
  empty: [http.get('/api/boats', () => HttpResponse.json([]))],
  single: [http.get('/api/boats', () => HttpResponse.json(boat('Dipper')))],
}
`

/** Handlers on every level, and data that only a panel shows. */
export const layers = `import { graphql, http, HttpResponse, sse, ws } from '@understudy/engine'
import { understudyOf } from '@understudy/storybook-addon'

interface Boat {
  name: string
}

const petrel: Boat = { name: 'Petrel' }
const picture = Uint8Array.from(atob('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='), (c) => c.charCodeAt(0))

export default {
  title: 'Layers',
  render: () => <p>Layers</p>,
  parameters: { handlers: { tides: http.get('/api/tides', () => HttpResponse.json([])) } },
}

export const All = {
  parameters: {
    handlers: { boats: [http.get('/api/boats', () => HttpResponse.json([petrel]))] },
  },
  play: async (context: object) => {
    understudyOf(context).use(http.get('/api/added', () => HttpResponse.json([])))
  },
}

export const Seals = { parameters: { understudy: { scenario: 'seals' } } }

export const Bodies = {
  parameters: {
    handlers: [
      http.get('/api/boats', () => HttpResponse.json({ boats: [petrel, petrel] })),
      http.get('/api/picture', () => new HttpResponse(picture, { headers: { 'Content-Type': 'image/png' } })),
      http.get('/api/log', () => HttpResponse.text('line of the log\\n'.repeat(150_000))),
      http.get('/api/count/:id', ({ params }) => HttpResponse.json(params)),
    ],
  },
}

function findBoat(): Boat {
  throw new TypeError('No such boat')
}

const radio = ws.link('wss://harbour.test/radio')

export const Details = {
  parameters: {
    handlers: [
      http.get('/api/boats', () => HttpResponse.json(petrel)),
      http.get('/api/hang', () => new Promise(() => {})),
      http.get('/api/sunk', () => HttpResponse.json(findBoat())),
      http.get('*/api/forgotten', () => {
        HttpResponse.json(petrel)
      }),
      sse('/api/waves', ({ client }) => {
        client.send({ data: 'calm' })
        client.send({ id: '7', event: 'storm', data: { height: 4 } })
        Object.assign(globalThis, { sendWave: (data: string) => client.send({ data }), endWaves: () => client.close() })
      }),
      graphql.query('ListBoats', () => HttpResponse.json({ data: null, errors: [{ message: 'No harbour' }] })),
      radio.addEventListener('connection', ({ client }) => {
        client.addEventListener('message', ({ data }) => client.send(\`echo \${data}\`))
      }),
    ],
  },
}

export const Broken = {
  loaders: [async () => ({ status: (await fetch('/api/boats')).status })],
  parameters: {
    handlers: [
      http.get('/api/boats', () => {
        throw new Error('no register')
      }),
    ],
  },
}
`

export const preview = `import { http, HttpResponse } from '@understudy/engine'

import '../src/harbour.css'

export default {
  tags: ['autodocs'],
  parameters: { handlers: { weather: http.get('/api/weather', () => HttpResponse.json({ wind: 7 })) } },
}
`

export const scenariosFile = 'src/components/Scenarios.stories.tsx'

/** Stories with the scenarios of the project's handlers module. */
export const scenarioStories = `import type { Meta, StoryObj } from '@storybook/react-vite'
import { http, HttpResponse } from '@understudy/engine'

import { BoatList } from './BoatList.tsx'

const meta: Meta<typeof BoatList> = { component: BoatList, title: 'Scenarios' }
export default meta
type Story = StoryObj<typeof BoatList>

export const Without: Story = {}
export const Empty: Story = { parameters: { understudy: { scenario: 'empty' } } }
export const Single: Story = { parameters: { understudy: { scenario: ['single'] } } }
export const Own: Story = {
  parameters: {
    understudy: { scenario: 'empty' },
    handlers: [http.get('/api/boats', () => HttpResponse.json([{ id: 'Y', name: 'Curlew', length: 9, berth: 'A3' }]))],
  },
}
export const Unknown: Story = { parameters: { understudy: { scenario: 'emtpy' } } }
`
