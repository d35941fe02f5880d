import type { Preview } from '@storybook/vue3-vite'

const preview: Preview = {
  tags: ['autodocs'],
}
export default preview
