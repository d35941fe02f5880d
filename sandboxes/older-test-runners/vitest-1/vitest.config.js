import { resolve } from 'node:path'

export default {
  test: {
    dir: resolve(import.meta.dirname, '../src'),
    include: ['**/*.spec.js'],
    environment: 'jsdom',
    globals: true,
    env: { EXPECTED_JSDOM: '22' },
  },
}
