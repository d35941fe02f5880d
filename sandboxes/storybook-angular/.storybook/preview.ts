import type { Preview } from '@storybook/angular'

const preview: Preview = {
  tags: ['autodocs'],
}
export default preview
