import type { Preview } from '@storybook/web-components-vite'

const preview: Preview = {
  tags: ['autodocs'],
}
export default preview
