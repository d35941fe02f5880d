import adapter from '@sveltejs/adapter-node'
import { sveltekit } from '@sveltejs/kit/vite'
import understudy from '@understudy/vite-plugin'
import { defineConfig } from 'vite'

export default defineConfig({ plugins: [understudy(), sveltekit({ adapter: adapter() })] })
