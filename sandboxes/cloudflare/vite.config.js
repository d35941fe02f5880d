import { cloudflare } from '@cloudflare/vite-plugin'
import understudy from '@understudy/vite-plugin'
import { defineConfig } from 'vite'

export default defineConfig({ plugins: [cloudflare(), understudy()] })
