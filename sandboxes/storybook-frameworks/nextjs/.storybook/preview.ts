import type { Preview } from '@storybook/nextjs-vite'

const preview: Preview = {
  tags: ['autodocs'],
}
export default preview
