import { solidStart } from '@solidjs/start/config'
import understudy from '@understudy/vite-plugin'
import { defineConfig } from 'vite'

export default defineConfig({ plugins: [understudy(), solidStart()] })
