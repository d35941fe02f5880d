import type { Preview } from '@storybook/react-vite'

import '../src/harbour.css'

const preview: Preview = {
  tags: ['autodocs'],
}
export default preview
