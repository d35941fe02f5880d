import { reactRouter } from '@react-router/dev/vite'
import understudy from '@understudy/vite-plugin'
import { defineConfig } from 'vite'

export default defineConfig({ plugins: [understudy(), reactRouter()] })
