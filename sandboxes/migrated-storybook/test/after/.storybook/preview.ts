import type { Preview } from '@storybook/react-vite'

import { handlers } from '../src/mocks/handlers'

const preview: Preview = {
  parameters: { msw: { handlers } },
}

export default preview
