import type { Preview } from '@storybook/react-vite'
import { initialize, mswLoader } from 'msw-storybook-addon'

import { handlers } from '../src/mocks/handlers'

initialize({ onUnhandledRequest: 'error' })

const preview: Preview = {
  loaders: [mswLoader],
  parameters: { msw: { handlers } },
}

export default preview
