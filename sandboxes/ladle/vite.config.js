import understudy from '@understudy/vite-plugin'

export default { plugins: [understudy()], server: { open: false } }
