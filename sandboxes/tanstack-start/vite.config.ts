import { tanstackStart } from '@tanstack/react-start/plugin/vite'
import understudy from '@understudy/vite-plugin'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

export default defineConfig({ plugins: [understudy(), tanstackStart(), react()] })
