import type { Preview } from 'storybook-react-rsbuild'

import '../src/harbour.css'

const preview: Preview = {
  tags: ['autodocs'],
}
export default preview
