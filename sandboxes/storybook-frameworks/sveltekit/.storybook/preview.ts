import type { Preview } from '@storybook/sveltekit'

const preview: Preview = {
  tags: ['autodocs'],
}
export default preview
