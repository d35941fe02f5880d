import { qwikCity } from '@builder.io/qwik-city/vite'
import { qwikVite } from '@builder.io/qwik/optimizer'
import understudy from '@understudy/vite-plugin'
import { defineConfig } from 'vite'

export default defineConfig({ plugins: [understudy(), qwikCity(), qwikVite()] })
