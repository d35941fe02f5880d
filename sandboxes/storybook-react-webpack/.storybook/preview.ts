import type { Preview } from '@storybook/react-webpack5'

import '../src/harbour.css'

const preview: Preview = {
  tags: ['autodocs'],
}
export default preview
